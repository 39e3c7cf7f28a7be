import type { Bucket } from '@millrace/query-language/materialization/increments/within-buckets.ts';
import type { Pool } from '@millrace/postgres/pool.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { BuildBuckets } from '../../queries/compile/compile-table.ts';
import type { BuildQuery, TableLayout } from '../build-request.ts';
import type { ClaimedBuild } from '../claim-build.ts';
import { reasonForWhole, reasonOfChanges } from './decide-increment.ts';
import { findChanges, readMoment, type Find } from './find-changes.ts';
import { readPresent } from './read-present.ts';
import { rebuildFingerprint } from './rebuild-fingerprint.ts';
import type { TableIncrement } from './table-increment.ts';

/** A build of a query with buckets that is about to fill its table. */
export interface BegunIncrement {
  buckets: BuildBuckets;
  /** Column of the table that holds the bucket, and those that are compared. */
  bucketColumn: string;
  exactColumns: readonly string[];
  /** The table that the version has, if it is of the same query. */
  present: { name: string; increment: TableIncrement } | null;
  /** The buckets to be built again; null: all. */
  changed: readonly Bucket[] | null;
  /** Facts that the table will have, with those of its last whole build. */
  facts: Pick<TableIncrement, 'fingerprint' | 'readAtMs'>;
}

/** Types of which the value is the same number in the table as in the search for changes. */
const bucketType = /^(?:Date|DateTime(?:64)?(?:\([^()]*\))?)$/;

/**
 * Finds what a build must do again. Null: its query has no buckets. An error of the search makes the build whole; the log says why it is.
 * @throws when the signal aborts, and when Postgres or the clock of ClickHouse cannot be read
 */
export async function beginIncrement(
  { pool, logger, signal }: { pool: Pick<Pool, 'query'>; logger: Pick<Logger, 'info' | 'warn'>; signal: AbortSignal },
  claim: ClaimedBuild,
  { query, layout, find }: { query: BuildQuery; layout: TableLayout; find: Find },
): Promise<BegunIncrement | null> {
  const { buckets } = query;
  const columnOf = new Map(layout.columns.map((column) => [column.name, column]));
  const column = buckets ? columnOf.get(buckets.column) : undefined;
  if (!buckets || column === undefined || !bucketType.test(column.type)) return null;
  const startedAtMs = claim.startedAt.getTime();
  const fingerprint = rebuildFingerprint(query, layout.columns);
  // Before anything is read: what comes later is found by the next build.
  const readAtMs = await readMoment(find);
  const { table, freshnessSeconds } = await readPresent(pool, claim);
  const present =
    table?.increment?.fingerprint === fingerprint ? { name: table.name, increment: table.increment } : null;
  const begun: BegunIncrement = {
    buckets,
    bucketColumn: column.column,
    exactColumns: buckets.exact.flatMap((name) => columnOf.get(name)?.column ?? []),
    present,
    changed: null,
    facts: { fingerprint, readAtMs },
  };
  const whole = (reason: string | null): BegunIncrement => {
    const { versionId, projectId, buildNumber } = claim;
    logger.info({ versionId, projectId, build: buildNumber, reason }, 'a materialized version is built whole');
    return begun;
  };
  const reason = reasonForWhole(table, { fingerprint, startedAtMs, freshnessSeconds });
  if (present === null || reason !== null) return whole(reason);
  try {
    const { readAtMs: since } = present.increment;
    const found = await findChanges(find, buckets, { readAtMs: since, nowMs: readAtMs, step: 'changes' });
    if (found === null) return whole('too many persons moved');
    const storedBuckets = present.increment.bucketsStored;
    const reasonOfFound = reasonOfChanges({ ...found, storedBuckets }, buckets);
    return reasonOfFound === null ? { ...begun, changed: found.buckets } : whole(reasonOfFound);
  } catch (err) {
    if (signal.aborted) throw err;
    logger.warn(
      { err, versionId: claim.versionId },
      'changes of a materialized version were not found: it is built whole',
    );
    return begun;
  }
}
