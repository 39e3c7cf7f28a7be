import type { Pool } from '@millrace/postgres/pool.ts';
import type { MadeTable } from './making/make-table.ts';
import type { BuildFailure } from './build-failure.ts';
import type { ClaimedBuild } from './claim-build.ts';
import { secondsToNextBuild, secondsToRetry } from './next-build.ts';

// Each says whether the build was still the version's, and can be repeated: nothing else has its row and number.
const ofBuild = 'WHERE id = $1 AND build_number = $2';

/** Makes the table the one that answers runs, in one step. False: the build is void, and so is its table. */
export async function switchTable(
  pool: Pick<Pool, 'query'>,
  { rowId, versionId, buildNumber, startedAt }: ClaimedBuild,
  {
    name,
    made: { layout, size, bucketsRebuilt, rowsRead },
    tookSeconds,
  }: { name: string; made: MadeTable; tookSeconds: number },
): Promise<boolean> {
  const seconds = secondsToNextBuild(versionId, {
    freshnessSeconds: await readFreshness(pool, versionId),
    tookSeconds,
  });
  const { rowCount } = await pool.query(
    `UPDATE materializations
     SET table_name = $3, layout = $4, rows = $5, bytes = $6, last_materialized_at = $7, next_build_at = $7::timestamptz + $8 * interval '1 second',
       buckets_rebuilt = $9, rows_read = $10, status = 'Completed', error = '', retries = 0, claimed_by = NULL, claimed_until = NULL ${ofBuild}`,
    [
      rowId,
      buildNumber,
      name,
      JSON.stringify(layout),
      size.rows,
      size.bytes,
      startedAt,
      seconds,
      bucketsRebuilt,
      rowsRead,
    ],
  );
  return rowCount === 1;
}

/** Records why a build failed, and when the next one is due. The last good table stays. */
export async function recordFailure(
  pool: Pick<Pool, 'query'>,
  { rowId, versionId, buildNumber, retries }: ClaimedBuild,
  { text, isOurs }: BuildFailure,
): Promise<void> {
  const seconds = isOurs
    ? secondsToRetry(retries)
    : secondsToNextBuild(versionId, { freshnessSeconds: await readFreshness(pool, versionId), tookSeconds: 0 });
  await pool.query(
    `UPDATE materializations
     SET status = 'Failed', error = $3, retries = $4, next_build_at = statement_timestamp() + $5 * interval '1 second', claimed_by = NULL, claimed_until = NULL
     ${ofBuild}`,
    // Postgres takes a NUL in no text.
    [rowId, buildNumber, text.replaceAll('\0', ''), isOurs ? retries + 1 : 0, seconds],
  );
}

/** Lets the slot of a build go, whatever became of the build: nothing of it runs any more. */
export async function freeSlot(
  pool: Pick<Pool, 'query'>,
  { rowId, buildNumber }: Pick<ClaimedBuild, 'rowId' | 'buildNumber'>,
): Promise<void> {
  await pool.query('DELETE FROM build_slots WHERE row_id = $1 AND build_number = $2', [rowId, buildNumber]);
}

/** Gives a build back that this process does not end: it is due for any other at once. */
export async function releaseBuild(
  pool: Pick<Pool, 'query'>,
  { rowId, buildNumber }: Pick<ClaimedBuild, 'rowId' | 'buildNumber'>,
): Promise<void> {
  await pool.query(
    `UPDATE materializations SET status = 'Cancelled', claimed_by = NULL, claimed_until = NULL ${ofBuild} AND claimed_until IS NOT NULL`,
    [rowId, buildNumber],
  );
}

/** As it is now: it may have changed since the build began. */
async function readFreshness(pool: Pick<Pool, 'query'>, versionId: string): Promise<number> {
  const { rows } = await pool.query<{ seconds: number }>(
    'SELECT data_freshness_seconds AS seconds FROM endpoint_versions WHERE id = $1',
    [versionId],
  );
  return rows[0]?.seconds ?? 0;
}
