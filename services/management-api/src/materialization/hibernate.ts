import type { Pool } from '@millrace/postgres/pool.ts';

const unusedDaysMax = 30;

/**
 * Pauses what nobody has run for 30 days, and has been materialized for as long (contract/endpoints 6.1): no table, no builds. The sweep
 * removes the tables. Returns the number of versions.
 */
export async function hibernateUnused(pool: Pick<Pool, 'query'>): Promise<number> {
  const { rowCount } = await pool.query(
    `UPDATE materializations m
     SET hibernated_at = statement_timestamp(), next_build_at = NULL, table_name = NULL, layout = NULL, rows = NULL, bytes = NULL, status = 'Unknown',
       build_number = build_number + 1, claimed_by = NULL, claimed_until = NULL
     FROM endpoint_versions v
     WHERE v.id = m.version_id AND m.hibernated_at IS NULL AND greatest(v.last_executed_at, m.requested_at) < statement_timestamp() - $1 * interval '1 day'`,
    [unusedDaysMax],
  );
  return rowCount ?? 0;
}

/** Ends the pause of a version that was run again: a build is due now. Does nothing to one that was not paused. */
export async function wake(pool: Pick<Pool, 'query'>, versionId: string): Promise<void> {
  await pool.query(
    `UPDATE materializations SET hibernated_at = NULL, requested_at = statement_timestamp(), next_build_at = statement_timestamp()
     WHERE version_id = $1 AND hibernated_at IS NOT NULL`,
    [versionId],
  );
}
