import { Object as ObjectType, Record as RecordType, String as StringType } from 'typebox';
import { reply } from '@millrace/http/replies/reply.ts';
import { projectRoute } from '../../context.ts';
import { symbolSetRoute, symbolSetsPath } from '../symbol-set.ts';
import { beginUploads } from './begin-uploads.ts';
import { PresignedUpload, presignUpload, requireStorage } from './presign-upload.ts';
import { readOffer, StartBody } from './upload-request.ts';

export const startUploads = projectRoute({
  ...symbolSetRoute,
  operationId: 'start_symbol_set_uploads',
  method: 'post',
  path: `${symbolSetsPath}/bulk_start_upload`,
  access: { scope: 'error_tracking:write' },
  summary: 'Begin to upload the files of up to 1000 symbol sets',
  description: 'Sets whose file is there already are not in the reply. When one set is refused, nothing is changed.',
  jsonOnly: true,
  body: StartBody,
  responses: {
    201: ObjectType({ id_map: RecordType(StringType(), PresignedUpload) }, { title: 'SymbolSetBulkStarted' }),
  },
  errors: [
    'invalid_conflict_handling',
    'invalid_chunk_ids',
    'invalid_release_id',
    'file_too_large',
    'release_id_mismatch',
    'content_hash_required',
    'content_hash_mismatch',
    'object_storage_required',
  ],
  async handler({ body, auth, context, request }) {
    const storage = requireStorage(context);
    const offer = readOffer(body);
    const begun = await context.prisma.$transaction((transaction) =>
      beginUploads(transaction, { context, auth, offer }),
    );
    const baseUrl = context.baseUrl(request);
    const entries = await Promise.all(
      begun.map(async (upload) => [upload.ref, await presignUpload(storage, upload, baseUrl)] as const),
    );
    return reply(201, { id_map: Object.fromEntries(entries) });
  },
});
