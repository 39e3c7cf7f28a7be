import { symbolFolders } from '@millrace/contracts/symbol-objects.ts';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Boolean, Object as ObjectType } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { reply } from '@millrace/http/replies/reply.ts';
import { newObjectKey, TooManyBytesError, type ObjectStorage } from '@millrace/object-storage/object-storage.ts';
import { receiveForm } from '../../../../objects/receive-form.ts';
import { projectRoute } from '../../context.ts';
import { deleteObjects } from '../remove-sets.ts';
import { symbolSetRoute, symbolSetsPath } from '../symbol-set.ts';
import { beginUploads } from './begin-uploads.ts';
import { completeUploads } from './complete-uploads.ts';
import { oldErrors, OldQuery, readOldQuery } from './old-query.ts';
import { requireStorage } from './presign-upload.ts';
import { fileBytesMax } from './upload-request.ts';

export const uploadOldFile = projectRoute({
  ...symbolSetRoute,
  operationId: 'create_symbol_set',
  method: 'post',
  path: symbolSetsPath,
  access: { scope: 'error_tracking:write' },
  summary: 'Upload the file of one symbol set, as old clients do',
  description: 'The body is a form (multipart/form-data) with a part `file`. Its SHA-512 is the content hash.',
  query: OldQuery,
  responses: { 201: ObjectType({ ok: Boolean() }, { title: 'SymbolSetUploaded' }) },
  errors: [
    ...oldErrors,
    'content_hash_mismatch',
    'file_too_large',
    'required',
    'parse_error',
    'unsupported_media_type',
  ],
  async handler({ query, auth, context, request }) {
    const storage = requireStorage(context);
    const set = readOldQuery(query);
    const key = newObjectKey(symbolFolders.uploads, context.clock.nowMs());
    const contentHash = await receiveForm(request, (_fields, file) => receiveHashed(storage, key, file));
    const offer = { sets: [{ ...set, contentHash }], conflicts: 'refuse' } as const;
    try {
      const begun = await context.prisma.$transaction((transaction) =>
        beginUploads(transaction, { context, auth, offer, newKey: () => key }),
      );
      if (begun.length === 0) await deleteObjects(context, [key]);
      for (const { setId } of begun) await completeUploads({ context, auth, hashes: new Map([[setId, contentHash]]) });
    } catch (error) {
      // Any other error may have come after the file was in place: then the sweep decides.
      if (error instanceof AppError) await deleteObjects(context, [key]);
      throw error;
    }
    return reply(201, { ok: true });
  },
});

/** Stores the file while it arrives. Returns its SHA-512. @throws {AppError} file_too_large */
async function receiveHashed(storage: ObjectStorage, key: string, file: Readable): Promise<string> {
  const hash = createHash('sha512');
  const hashed = async function* () {
    for await (const chunk of file.iterator({ destroyOnReturn: false })) {
      hash.update(chunk as Uint8Array);
      yield chunk as Uint8Array;
    }
  };
  try {
    await storage.receive(key, Readable.from(hashed()), fileBytesMax);
  } catch (error) {
    if (!(error instanceof TooManyBytesError)) throw error;
    throw new AppError('file_too_large', { detail: `Files of symbol sets have at most ${fileBytesMax} bytes.` });
  }
  return hash.digest('hex');
}
