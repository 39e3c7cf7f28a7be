import { Object as ObjectType, String as StringType } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { projectRoute } from '../context.ts';
import { findSymbolSet, SymbolSetId } from './find-symbol-set.ts';
import { symbolSetRoute, symbolSetsPath } from './symbol-set.ts';

const linkSeconds = 3600;

export const downloadSymbolSet = projectRoute({
  ...symbolSetRoute,
  operationId: 'download_symbol_set',
  method: 'get',
  path: `${symbolSetsPath}/:symbol_set_id/download`,
  params: { symbol_set_id: SymbolSetId },
  access: { scope: 'error_tracking:read' },
  summary: 'Get the address of the file of a symbol set',
  description: 'The address is good for an hour. It needs no key, and returns the bytes as they were uploaded.',
  responses: {
    200: ObjectType(
      { url: StringType({ format: 'uri', examples: ['https://api.example.com/objects'] }) },
      { title: 'SymbolSetDownload' },
    ),
  },
  find: findSymbolSet,
  async handler({ found: { id, storageKey }, context: { storage, baseUrl }, request }) {
    if (storageKey === null) throw new AppError('not_found', { detail: 'Not found. This symbol set has no file.' });
    if (storage === undefined) throw new AppError('error', { cause: new Error('no object storage is configured') });
    const url = await storage.presignGet(storageKey, {
      contentType: 'application/octet-stream',
      fileName: `symbol-set-${id}`,
      lifetimeSeconds: linkSeconds,
      baseUrl: baseUrl(request),
    });
    return { url };
  },
});
