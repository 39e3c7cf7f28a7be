/**
 * The records that a batch is made of, first to last. It is written into the commit's metadata before the batch has any
 * effect, so that after a crash the same records make the same batch again, under the same token.
 */
export interface PendingRange {
  first: bigint;
  last: bigint;
}

/** Thrown for metadata that this build did not write. */
export class PendingRangeError extends Error {
  override name = 'PendingRangeError';
}

const form = /^pending:(\d+)-(\d+)$/;

/** The metadata of a commit; null: nothing is under way. */
export function encodePendingRange(range: PendingRange | null): string {
  return range === null ? '' : `pending:${range.first}-${range.last}`;
}

/**
 * What was under way at the commit, or null.
 * @throws {PendingRangeError} when the text is of another form.
 */
export function decodePendingRange(metadata: string): PendingRange | null {
  if (metadata === '') return null;
  const match = form.exec(metadata);
  const range = { first: BigInt(match?.[1] ?? 0), last: BigInt(match?.[2] ?? -1) };
  if (range.last < range.first) throw new PendingRangeError(`not a pending range: "${metadata.slice(0, 100)}"`);
  return range;
}
