import { Object as ObjectType, Optional, String as StringType, type Static } from 'typebox';
import { requireShortRef, type OfferedSet } from './upload-request.ts';

/** Query parameters of uploads of old clients. */
export const OldQuery = ObjectType({
  chunk_id: StringType({
    minLength: 1,
    description: 'At most 2,048 bytes.',
    examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
  }),
  release_id: Optional(
    StringType({ description: 'A release of the project.', examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'] }),
  ),
});

export const oldErrors = [
  'invalid_release_id',
  'release_id_mismatch',
  'content_hash_required',
  'object_storage_required',
] as const;

/** Pure. @throws {AppError} max_length on `chunk_id` */
export function readOldQuery(query: Static<typeof OldQuery>): OfferedSet {
  requireShortRef(query.chunk_id, 'chunk_id');
  return { ref: query.chunk_id, releaseId: query.release_id || null, contentHash: null, contentLength: null };
}
