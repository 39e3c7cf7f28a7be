import { decodeMoves, encodeMoves, type Moves } from './moves.ts';

/**
 * The records that a batch is made of, first to last. It is written into the commit's metadata before the batch has any
 * effect, so that after a crash the same records make the same batch again, under the same token.
 */
export interface PendingRange {
  first: bigint;
  last: bigint;
  /** Events that leave the batch for the lane `overflow`; absent: not decided. */
  moves?: Moves;
}

/** Thrown for metadata that this build did not write. */
export class PendingRangeError extends Error {
  override name = 'PendingRangeError';
}

const form = /^pending:(\d+)-(\d+)(?:;moved:([\d@.,]+))?$/;

/** The metadata of a commit; null: nothing is under way. */
export function encodePendingRange(range: PendingRange | null): string {
  if (range === null) return '';
  const moved = range.moves === undefined || range.moves.size === 0 ? '' : `;moved:${encodeMoves(range.moves)}`;
  return `pending:${range.first}-${range.last}${moved}`;
}

/**
 * Range under way at the commit, or null.
 * @throws {PendingRangeError} when the text is of another form.
 */
export function decodePendingRange(metadata: string): PendingRange | null {
  if (metadata === '') return null;
  const match = form.exec(metadata);
  const range = { first: BigInt(match?.[1] ?? 0), last: BigInt(match?.[2] ?? -1) };
  const moved = match?.[3];
  const moves = moved === undefined ? undefined : decodeMoves(moved);
  if (range.last < range.first || moves === null)
    throw new PendingRangeError(`not a pending range: "${metadata.slice(0, 100)}"`);
  return moves === undefined ? range : { ...range, moves };
}
