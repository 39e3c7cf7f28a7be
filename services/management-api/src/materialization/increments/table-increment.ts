import { createHash } from 'node:crypto';
import type { BuildQuery, StoredColumn } from '../build-request.ts';

/** Facts of a table by which the next build knows what changed since, and whether it may trust them. They are kept with the table. */
export interface TableIncrement {
  /** Of the whole build's query and of the table's columns. */
  fingerprint: string;
  /** By ClickHouse's clock, before the table's rows were read: milliseconds since 1970. */
  readAtMs: number;
  /** Start of the last whole build, by the clock of Postgres: milliseconds since 1970. */
  wholeAtMs: number;
  /** Buckets that the last whole build stored. */
  bucketsStored: number;
}

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
