import type { Pool } from '@millrace/postgres/pool.ts';

/** Makes a build due now, of a table that is too old. After a failure the next build keeps its time. */
export async function makeBuildDue(pool: Pick<Pool, 'query'>, versionId: string): Promise<void> {
  await pool.query(
    `UPDATE materializations SET next_build_at = statement_timestamp()
     WHERE version_id = $1 AND next_build_at > statement_timestamp() AND status <> 'Failed'`,
    [versionId],
  );
}
