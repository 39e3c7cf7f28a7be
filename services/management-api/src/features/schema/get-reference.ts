import { String as StringType } from 'typebox';
import { AppError } from '@millrace/http/errors.ts';
import { bytes } from '@millrace/http/reply.ts';
import { publicRoute } from './context.ts';
import { referenceFile, referenceHeaders, referencePage } from './reference-files.ts';

export const getReference = publicRoute({
  operationId: 'get_reference',
  method: 'get',
  path: '/docs',
  access: 'public',
  tag: 'Reference',
  summary: 'Show the reference of this API in a browser',
  responses: { 200: StringType({ contentMediaType: 'text/html' }) },
  handler: () => bytes(referencePage.contentType, [referencePage.bytes], referenceHeaders),
});

export const getReferenceFile = publicRoute({
  operationId: 'get_reference_file',
  method: 'get',
  path: '/docs/assets/:file',
  access: 'public',
  tag: 'Reference',
  summary: 'A file of the reference page',
  responses: { 200: StringType({ contentMediaType: 'text/*' }) },
  handler({ params }) {
    const file = referenceFile(params.file);
    if (file === undefined) throw new AppError('not_found');
    return bytes(file.contentType, [file.bytes], { ...referenceHeaders, 'cache-control': 'public, max-age=3600' });
  },
});
