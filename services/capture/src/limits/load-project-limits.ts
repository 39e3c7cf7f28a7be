import type { QuotaPeriod, QuotaResource } from '@millrace/contracts/project-limits.ts';
import type { Pool } from 'pg';
import type { Restriction } from './restriction-rules.ts';

export interface QuotaRow {
  projectId: number;
  resource: QuotaResource;
  limit: number;
  period: QuotaPeriod;
}

/** Everything that operators have decided, for all projects that have any. */
export interface LimitRows {
  restrictions: readonly (Restriction & { projectId: number })[];
  quotas: readonly QuotaRow[];
  /** The tokens of these projects, also those that were rotated away. */
  tokens: readonly { projectId: number; token: string }[];
  /** Number of projects, limited or not. */
  projects: number;
}

export type LoadProjectLimits = () => Promise<LimitRows>;

const restrictionsSql = `
  SELECT project_id AS "projectId", action, distinct_ids AS "distinctIds", events, session_ids AS "sessionIds", uuids
  FROM restrictions ORDER BY id`;

// A number of JavaScript holds every limit that can be reached.
const quotasSql = `SELECT project_id AS "projectId", resource, "limit"::float8 AS "limit", period FROM quotas`;

const tokensSql = `
  WITH limited AS (SELECT project_id FROM restrictions UNION SELECT project_id FROM quotas)
  SELECT id AS "projectId", api_token AS token FROM projects WHERE id IN (SELECT project_id FROM limited) AND deleted_at IS NULL
  UNION ALL
  SELECT project_id, token FROM previous_project_tokens WHERE project_id IN (SELECT project_id FROM limited)`;

const projectsSql = `SELECT count(*)::int AS projects FROM projects WHERE deleted_at IS NULL`;

/** Loads what Postgres holds, with the rights of role `millrace_capture`. Throws what `pg` throws, also when it takes too long. */
export function createLoadProjectLimits(pool: Pool, queryMsMax: number): LoadProjectLimits {
  const query = (text: string) => ({ text, query_timeout: queryMsMax });
  return async () => {
    const restrictions = await pool.query<Restriction & { projectId: number }>(query(restrictionsSql));
    const quotas = await pool.query<QuotaRow>(query(quotasSql));
    const tokens = await pool.query<{ projectId: number; token: string }>(query(tokensSql));
    const projects = await pool.query<{ projects: number }>(query(projectsSql));
    return {
      restrictions: restrictions.rows,
      quotas: quotas.rows,
      tokens: tokens.rows,
      projects: projects.rows[0]?.projects ?? 0,
    };
  };
}
