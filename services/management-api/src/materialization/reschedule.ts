import type { Pool } from '@millrace/postgres/pool.ts';
import { shareOfWindow } from './next-build.ts';

/** Makes the next build due by the version's present freshness; one that is late is due at once. */
export async function rescheduleBuild(pool: Pick<Pool, 'query'>, versionId: string): Promise<void> {
  await pool.query(
    `UPDATE materializations m
     SET next_build_at = coalesce(m.last_materialized_at + v.data_freshness_seconds * $2::float8 * interval '1 second', statement_timestamp())
     FROM endpoint_versions v WHERE m.version_id = $1 AND v.id = m.version_id AND m.hibernated_at IS NULL AND m.claimed_until IS NULL`,
    [versionId, shareOfWindow(versionId)],
  );
}

/** Makes a build due now, of a table that is too old. After a failure the next build keeps its time. */
export async function requestBuild(pool: Pick<Pool, 'query'>, versionId: string): Promise<void> {
  await pool.query(
    `UPDATE materializations SET next_build_at = statement_timestamp()
     WHERE version_id = $1 AND next_build_at > statement_timestamp() AND status <> 'Failed'`,
    [versionId],
  );
}

/** Marks a version whose build has changed: the table is of before, so runs do without it, a build under way is void, and another is due now. */
export async function markModified(pool: Pick<Pool, 'query'>, versionId: string): Promise<void> {
  await pool.query(
    `UPDATE materializations
     SET status = 'Modified', table_name = NULL, layout = NULL, rows = NULL, bytes = NULL, error = '', retries = 0, build_number = build_number + 1,
       next_build_at = CASE WHEN hibernated_at IS NULL THEN statement_timestamp() END, claimed_by = NULL, claimed_until = NULL
     WHERE version_id = $1`,
    [versionId],
  );
}
