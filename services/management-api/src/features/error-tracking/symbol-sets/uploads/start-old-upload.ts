import { Object as ObjectType, Optional, String as StringType } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { reply } from '@millrace/http/replies/reply.ts';
import { nullable } from '@millrace/http/nullable.ts';
import { projectRoute } from '../../context.ts';
import { findSymbolSet, SymbolSetId } from '../find-symbol-set.ts';
import { symbolSetRoute, symbolSetsPath } from '../symbol-set.ts';
import { beginUploads } from './begin-uploads.ts';
import { completeUploads } from './complete-uploads.ts';
import { Finished, finishErrors } from './finish-uploads.ts';
import { oldErrors, OldQuery, readOldQuery } from './old-query.ts';
import { PresignedForm, presignUpload, requireStorage } from './presign-upload.ts';
import { hashLengthMax } from './upload-request.ts';

export const startOldUpload = projectRoute({
  ...symbolSetRoute,
  operationId: 'start_symbol_set_upload',
  method: 'post',
  path: `${symbolSetsPath}/start_upload`,
  access: { scope: 'error_tracking:write' },
  summary: 'Begin to upload the file of one symbol set, as old clients do',
  query: OldQuery,
  responses: {
    201: ObjectType(
      { presigned_url: PresignedForm, symbol_set_id: StringType({ format: 'uuid' }) },
      { title: 'SymbolSetStarted' },
    ),
  },
  errors: oldErrors,
  async handler({ query, auth, context, request }) {
    const storage = requireStorage(context);
    const offer = { sets: [readOldQuery(query)], conflicts: 'refuse' } as const;
    const [begun] = await context.prisma.$transaction((transaction) =>
      beginUploads(transaction, { context, auth, offer }),
    );
    // Without a content hash the decision is an upload or an error.
    if (begun === undefined) throw new AppError('error', { cause: new Error('no upload has begun') });
    return reply(201, await presignUpload(storage, begun, context.baseUrl(request)));
  },
});

export const finishOldUpload = projectRoute({
  ...symbolSetRoute,
  operationId: 'finish_symbol_set_upload',
  method: 'put',
  path: `${symbolSetsPath}/:symbol_set_id/finish_upload`,
  params: { symbol_set_id: SymbolSetId },
  access: { scope: 'error_tracking:write' },
  summary: 'Say that the file of one symbol set is uploaded, as old clients do',
  body: ObjectType(
    {
      content_hash: Optional(
        nullable(StringType({ maxLength: hashLengthMax, examples: ['5d41402abc4b2a76b9719d911017c592'] })),
      ),
    },
    { title: 'SymbolSetFinish' },
  ),
  responses: { 200: Finished },
  errors: [...finishErrors, 'content_hash_required'],
  find: findSymbolSet,
  async handler({ body: { content_hash: hash }, found: { id }, auth, context }) {
    if (!hash) throw new AppError('content_hash_required', { detail: 'Send the content hash.' });
    await completeUploads({ context, auth, hashes: new Map([[id, hash]]) });
    return { success: true };
  },
});
