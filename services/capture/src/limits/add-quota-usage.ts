import type { Pool } from 'pg';
import type { AddUsage, UsageRow } from './quota-usage.ts';

// In order of the key, so that two processes never wait for each other in a circle. Rows of 0 are only read.
const sql = `
  WITH added AS (
    SELECT * FROM unnest($1::int[], $2::text[], $3::date[], $4::bigint[]) AS added (project_id, resource, period_start, used)
  ), written AS (
    INSERT INTO quota_usage AS usage (project_id, resource, period_start, used)
    SELECT * FROM added WHERE used > 0 ORDER BY project_id, resource, period_start
    ON CONFLICT (project_id, resource, period_start) DO UPDATE SET used = usage.used + excluded.used
    RETURNING project_id, resource, period_start, used
  ), present AS (
    SELECT * FROM written
    UNION ALL
    SELECT usage.* FROM quota_usage AS usage JOIN added USING (project_id, resource, period_start) WHERE added.used = 0
  )
  SELECT project_id AS "projectId", resource, period_start::text AS "periodStart", used::float8 AS used FROM present`;

/** Adds to what is used of quotas, in Postgres, with the rights of role `millrace_capture`. Throws what `pg` throws, also when it takes too long. */
export function createAddQuotaUsage(pool: Pool, queryMsMax: number): AddUsage {
  return async (rows) => {
    const columns = [
      rows.map((row) => row.projectId),
      rows.map((row) => row.resource),
      rows.map((row) => row.periodStart),
      rows.map((row) => row.used),
    ];
    const query = { name: 'add-quota-usage', text: sql, values: columns, query_timeout: queryMsMax };
    return (await pool.query<UsageRow>(query)).rows;
  };
}
