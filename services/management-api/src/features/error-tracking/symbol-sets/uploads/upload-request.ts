import {
  Array as ArrayType,
  Boolean,
  Integer,
  Object as ObjectType,
  Optional,
  String as StringType,
  type Static,
} from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import { nameSome } from './name-some.ts';

/** Largest file of a set, in bytes. */
export const fileBytesMax = 104_857_600;
/** Most sets of a call. */
export const setsMax = 1000;
const refBytesMax = 2048;
/** Longest content hash, in characters. */
export const hashLengthMax = 512;

const chunkId = StringType({
  minLength: 1,
  description: 'At most 2,048 bytes.',
  examples: ['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d'],
});
const releaseId = Optional(nullable(StringType({ description: 'A release of the project.' })));
const uploadFields = {
  symbol_sets: ArrayType(
    ObjectType({
      chunk_id: chunkId,
      release_id: releaseId,
      content_hash: Optional(
        nullable(
          StringType({
            maxLength: hashLengthMax,
            description: 'Compared with that of the last upload, never with the file.',
            examples: ['5d41402abc4b2a76b9719d911017c592'],
          }),
        ),
      ),
      content_length: Optional(
        nullable(
          Integer({ minimum: 0, description: 'Bytes that will be uploaded. With it there is an address for PUT.' }),
        ),
      ),
    }),
    {
      maxItems: setsMax,
      description: 'Each chunk id once.',
      examples: [
        [
          {
            chunk_id: '01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d',
            content_hash: '5d41402abc4b2a76b9719d911017c592',
            content_length: 20_480,
          },
        ],
      ],
    },
  ),
  force: Optional(Boolean({ default: false, description: 'Replace files that have another content hash.' })),
  skip_on_conflict: Optional(Boolean({ default: false, description: 'Keep files that have another content hash.' })),
};

/** Body of check. */
export const CheckBody = ObjectType(uploadFields, { title: 'SymbolSetBulkCheck' });

/** Body of start. `chunk_ids` and `release_id` are of old clients. */
export const StartBody = ObjectType(
  {
    ...uploadFields,
    symbol_sets: Optional(uploadFields.symbol_sets),
    chunk_ids: Optional(
      nullable(ArrayType(chunkId, { maxItems: setsMax, description: 'Sets without a content hash, of `release_id`.' })),
    ),
    release_id: releaseId,
  },
  { title: 'SymbolSetBulkStart' },
);

/** A set that a client has. */
export interface OfferedSet {
  ref: string;
  releaseId: string | null;
  contentHash: string | null;
  contentLength: number | null;
}

/** Sets that a client has, and what is to be done about files with another content hash. */
export interface Offer {
  sets: readonly OfferedSet[];
  conflicts: 'refuse' | 'replace' | 'keep';
}

/**
 * Reads a body that its schema takes. Pure.
 * @throws {AppError} invalid_conflict_handling, max_length, invalid_chunk_ids, file_too_large
 */
export function readOffer(body: Static<typeof StartBody>): Offer {
  const { symbol_sets: sets = [], chunk_ids: old, release_id: oldRelease = null, force, skip_on_conflict: skip } = body;
  if (force && skip) throw new AppError('invalid_conflict_handling');
  const offered = [
    ...sets.map((set) => ({
      ref: set.chunk_id,
      releaseId: set.release_id ?? null,
      contentHash: set.content_hash ?? null,
      contentLength: set.content_length ?? null,
    })),
    ...(old ?? []).map((ref) => ({ ref, releaseId: oldRelease, contentHash: null, contentLength: null })),
  ];
  if (offered.length > setsMax)
    throw new AppError('max_length', {
      attr: 'symbol_sets',
      detail: `Ensure this field has no more than ${setsMax} elements.`,
    });
  offered.forEach(({ ref }, at) =>
    requireShortRef(ref, at < sets.length ? `symbol_sets__${at}__chunk_id` : `chunk_ids__${at - sets.length}`),
  );
  refuseRepeated(offered);
  const large = offered.filter(({ contentLength }) => (contentLength ?? 0) > fileBytesMax);
  if (large.length > 0)
    throw new AppError('file_too_large', {
      detail: `Files of symbol sets have at most ${fileBytesMax} bytes; larger: ${nameSome(large)}.`,
    });
  return { sets: offered, conflicts: force ? 'replace' : skip ? 'keep' : 'refuse' };
}

/** @throws {AppError} max_length on `attr`: the ref has more than 2,048 bytes (contract/decisions 106) */
export function requireShortRef(ref: string, attr: string): void {
  if (Buffer.byteLength(ref) > refBytesMax)
    throw new AppError('max_length', { attr, detail: `Ensure this field has no more than ${refBytesMax} bytes.` });
}

function refuseRepeated(offered: readonly OfferedSet[]): void {
  const counts = Map.groupBy(offered, ({ ref }) => ref);
  const repeated = [...counts.values()].flatMap(([first, second]) => (first && second ? [first] : []));
  if (repeated.length > 0)
    throw new AppError('invalid_chunk_ids', { detail: `Chunk ids are given more than once: ${nameSome(repeated)}.` });
}
