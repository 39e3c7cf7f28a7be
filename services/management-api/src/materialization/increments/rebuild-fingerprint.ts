import { createHash } from 'node:crypto';
import type { BuildQuery, LayoutColumn } from '../build-request.ts';

/** Changes when tables of before may not be built upon, whatever their query. */
const formatVersion = 1;

/**
 * Fingerprint of a build: the next one goes on with its table where both have the same. The plan is in it, with the fingerprint by which runs
 * trust a table (`sourceFingerprint`). Pure.
 */
export function rebuildFingerprint(
  { sql, params, buckets, plan }: BuildQuery,
  columns: readonly LayoutColumn[],
): string {
  return createHash('sha256')
    .update(JSON.stringify([formatVersion, sql, params, buckets, columns, plan], textsOfBigInts))
    .digest('hex');
}

const textsOfBigInts = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint'
    ? `${value}n`
    : typeof value === 'number' && !Number.isFinite(value)
      ? String(value)
      : value;
