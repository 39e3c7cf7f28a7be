import { createHash } from 'node:crypto';
import type { BuildQuery, StoredColumn } from '../build-request.ts';

/** Changes when tables of before may not be built upon, whatever their query. */
const formatVersion = 1;

/** What two builds have in common of which one may go on with the table of the other. Pure. */
export function fingerprintOf({ sql, params, buckets }: BuildQuery, columns: readonly StoredColumn[]): string {
  return createHash('sha256')
    .update(JSON.stringify([formatVersion, sql, params, buckets, columns], textsOfBigInts))
    .digest('hex');
}

const textsOfBigInts = (_name: string, value: unknown): unknown =>
  typeof value === 'bigint'
    ? `${value}n`
    : typeof value === 'number' && !Number.isFinite(value)
      ? String(value)
      : value;
