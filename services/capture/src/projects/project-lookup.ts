import type { Pool } from 'pg';
import type { ProjectLookup } from './project-tokens.ts';

const sql = `
  SELECT api_token AS token, id FROM projects WHERE api_token = ANY($1::text[]) AND deleted_at IS NULL
  UNION ALL
  SELECT previous.token, project.id FROM previous_project_tokens previous JOIN projects project ON project.id = previous.project_id
  WHERE previous.token = ANY($1::text[]) AND previous.valid_until > now() AND project.deleted_at IS NULL`;

/**
 * Looks project tokens up in Postgres, with the rights of role `millrace_capture`: present ones, and those that were
 * rotated away and are still good (contract/capture 1.6). A connection that does not respond in time is thrown away.
 */
export function createProjectLookup(pool: Pool, queryMsMax: number): ProjectLookup {
  return async (tokens) => {
    const query = { name: 'projects-by-token', text: sql, values: [tokens], query_timeout: queryMsMax };
    const { rows } = await pool.query<{ token: string; id: number }>(query);
    return new Map(rows.map((row) => [row.token, row.id]));
  };
}
