import type { Pool } from 'pg';
import type { ProjectLookUp } from './project-tokens.ts';

const sql = 'SELECT api_token, id FROM projects WHERE api_token = ANY($1::text[]) AND deleted_at IS NULL';

/**
 * Looks project tokens up in Postgres, with the rights of role `millrace_capture`: these three columns, reading only.
 * A connection that does not answer in time is thrown away.
 */
export function createProjectLookUp(pool: Pool, queryMsMax: number): ProjectLookUp {
  return async (tokens) => {
    const query = { name: 'projects-by-token', text: sql, values: [tokens], query_timeout: queryMsMax };
    const { rows } = await pool.query<{ api_token: string; id: number }>(query);
    return new Map(rows.map((row) => [row.api_token, row.id]));
  };
}
