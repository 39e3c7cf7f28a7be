import { Object as ObjectType, Optional, Record as RecordType, String as StringType, type Static } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { ObjectStorage } from '@millrace/object-storage/object-storage.ts';
import type { Context } from '../../context.ts';
import type { BegunUpload } from './begin-uploads.ts';
import { fileBytesMax } from './upload-request.ts';

const lifetimeSeconds = 300;

/** A form (multipart/form-data) of these fields and then a `file`, without a key; the reply is 204. */
export const PresignedForm = ObjectType({
  url: StringType({ format: 'uri', examples: ['https://api.example.com/objects'] }),
  fields: RecordType(StringType(), StringType(), {
    examples: [{ key: 'symbolsets/01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d', policy: 'eyJrZXkiOi…' }],
  }),
});

/** Addresses for the file of a set, good for 300 s. */
export const PresignedUpload = ObjectType({
  symbol_set_id: StringType({ format: 'uuid' }),
  presigned_url: PresignedForm,
  presigned_put_url: Optional(
    StringType({
      format: 'uri',
      description: 'For a PUT of the raw bytes, of exactly the `content_length` that was announced.',
    }),
  ),
});

/** @throws {AppError} object_storage_required */
export function requireStorage({ storage }: Pick<Context, 'storage'>): ObjectStorage {
  if (storage === undefined) throw new AppError('object_storage_required');
  return storage;
}

/** Addresses of an upload. They are of the API, as the client sees it, or of a bucket that it reaches (contract/decisions 115). */
export async function presignUpload(
  storage: ObjectStorage,
  { key, setId, contentLength }: BegunUpload,
  baseUrl: string,
): Promise<Static<typeof PresignedUpload>> {
  const put =
    contentLength === null ? undefined : await storage.presignPut(key, { contentLength, lifetimeSeconds, baseUrl });
  return {
    symbol_set_id: setId,
    presigned_url: await storage.presignPost(key, { bytesMax: fileBytesMax, lifetimeSeconds, baseUrl }),
    ...(put !== undefined && { presigned_put_url: put }),
  };
}
