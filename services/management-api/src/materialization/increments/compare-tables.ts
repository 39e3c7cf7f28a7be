import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { ClaimedBuild } from '../claim-build.ts';
import type { BegunIncrement } from './begin-increment.ts';
import { reasonOfChanges } from './decide-increment.ts';
import { findChanges, readMoment, type Find } from './find-changes.ts';
import { countDifferences } from './increment-sql.ts';

/**
 * Compares a whole table with the one of before, in the buckets of which no event came since that one was read, and returns the number of
 * buckets that differ. It is called when the whole table is filled, so that all that it may have seen is left out. 0 also where nothing can be
 * compared. A difference means that builds of some buckets left out what they should have found.
 * @throws what its statements throw
 */
export async function compareWithPresent(
  { logger, find }: { logger: Pick<Logger, 'warn'>; find: Find },
  { versionId, projectId }: Pick<ClaimedBuild, 'versionId' | 'projectId'>,
  { name, begun }: { /** Of the whole table. */ name: string; begun: BegunIncrement },
): Promise<number> {
  const { buckets, bucketColumn, exactColumns, present } = begun;
  if (present === null || exactColumns.length === 0) return 0;
  const nowMs = await readMoment(find);
  const found = await findChanges(find, buckets, { readAtMs: present.increment.readAtMs, nowMs, step: 'compared' });
  // However many buckets changed: the others are compared.
  if (found === null || reasonOfChanges({ ...found, storedBuckets: Infinity }, buckets) !== null) return 0;
  const left = { columns: exactColumns, bucketColumn, buckets: found.buckets.map(({ value }) => value) };
  const differing = (await find(countDifferences([name, present.name], left), 'compare'))[0]?.[0] ?? 0;
  if (differing > 0)
    logger.warn(
      { versionId, projectId, buckets: differing, table: present.name },
      'a whole build differs from the table of before, which was built by buckets: it has replaced that table',
    );
  return differing;
}
