import { String as StringType } from 'typebox';
import { notFound } from '@millrace/http/errors/errors.ts';
import { bytes } from '@millrace/http/replies/reply.ts';
import { publicRoute } from './context.ts';

export const getReference = publicRoute({
  operationId: 'get_reference',
  method: 'get',
  path: '/docs',
  access: 'public',
  tag: 'Reference',
  summary: 'Show the reference of this API, and of capture, in a browser',
  responses: { 200: StringType({ contentMediaType: 'text/html' }) },
  handler: ({ context: { reference } }) => bytes(reference.page.contentType, [reference.page.bytes], reference.headers),
});

export const getReferenceFile = publicRoute({
  operationId: 'get_reference_file',
  method: 'get',
  path: '/docs/assets/:file',
  params: { file: StringType({ description: 'Name of the file.', examples: ['swagger-ui.css'] }) },
  access: 'public',
  tag: 'Reference',
  summary: 'A file of the reference page',
  responses: { 200: StringType({ contentMediaType: 'text/*' }) },
  handler({ params, context: { reference } }) {
    const file = reference.file(params.file);
    if (file === undefined) throw notFound('The reference has no file', params.file);
    return bytes(file.contentType, [file.bytes], { ...reference.headers, 'cache-control': 'public, max-age=3600' });
  },
});
