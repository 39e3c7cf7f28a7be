import type { Bucket } from '@millrace/query-language/materialization/increments/within-buckets.ts';
import { bucketsMax, overridesMsMax, wholeEveryMs } from './increment-limits.ts';
import { sharesOfWindow } from '../next-build.ts';
import type { TableIncrement } from './table-increment.ts';

/** The table that a version has, as far as a build may go on with it. */
export interface PresentTable {
  name: string;
  /** Undefined: it was built before tables kept this, or its query has no buckets. */
  increment: TableIncrement | undefined;
}

/** A build that is about to begin. */
export interface BeginningBuild {
  fingerprint: string;
  /** By the clock of Postgres, in milliseconds since 1970. */
  startedAtMs: number;
  freshnessSeconds: number;
}

/** Why a build must be whole before anybody looks for what changed; null: it need not be. Pure. */
export function reasonForWhole(
  present: PresentTable | null,
  { fingerprint, startedAtMs, freshnessSeconds }: BeginningBuild,
): string | null {
  const increment = present?.increment;
  if (increment === undefined) return 'there is no table to go on with';
  if (increment.fingerprint !== fingerprint) return 'the table is of another query';
  const nextAtMs = startedAtMs + freshnessSeconds * 1000 * sharesOfWindow.greatest;
  if (nextAtMs > increment.wholeAtMs + wholeEveryMs)
    return 'the next build would be more than a day after the last whole one';
  return null;
}

/** Changes since the table was read. */
export interface FoundChanges {
  buckets: readonly Bucket[];
  /** All changed events have times that buckets are sure of. */
  areSound: boolean;
  /** Milliseconds from the read of the table to the end of the search, by ClickHouse's clock. */
  sinceMs: number;
  /** Buckets of the table, as far as is known. */
  storedBuckets: number;
}

/** Why a build must be whole although it is known what changed; null: it need not be. Pure. */
export function reasonOfChanges(
  { buckets, areSound, sinceMs, storedBuckets }: FoundChanges,
  { readsPersons }: { readsPersons: boolean },
): string | null {
  if (buckets.length > bucketsMax) return 'too many buckets changed';
  if (!areSound) return 'events with times that no bucket is sure of came';
  if (sinceMs < 0) return 'the clock of ClickHouse went back';
  if (readsPersons && sinceMs > overridesMsMax) return 'merges of persons may not be seen any more';
  if (buckets.length * 2 > storedBuckets) return 'more than half of the buckets changed';
  return null;
}
