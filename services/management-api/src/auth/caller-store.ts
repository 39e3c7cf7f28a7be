import type { Pool } from '@millrace/postgres/pool.ts';
import type { Caller } from './authorize.ts';

export interface Project {
  id: number;
  organizationId: string;
  timezone: string;
}

/** The project of a path: by its id, the caller's current one, or none that could exist. */
export type WantedProject = number | '@current' | null;

interface FoundCaller {
  caller: Caller;
  /** When the key was last used, as far as it is noted. */
  lastUsedAt: Date | null;
  /** The wanted project, whoever owns it; null: there is none. */
  project: Project | null;
}

export interface CallerStore {
  /** Who has the key (by its hash), and the project that the call is about; null: no active user has such a key. */
  find(keyHash: string, wanted: WantedProject): Promise<FoundCaller | null>;
  noteUse(keyId: string, atMs: number): Promise<void>;
}

// Asked at every call, so it is one statement for key, user, memberships and project, prepared once a connection.
const find = {
  name: 'find-caller',
  text: `SELECT k.id, k.scopes, k.scoped_teams, k.scoped_organizations::text[], k.last_used_at,
      u.id AS user_id, u.current_project_id, u.current_organization_id::text,
      (SELECT coalesce(jsonb_object_agg(m.organization_id, m.level), '{}') FROM memberships m WHERE m.user_id = u.id) AS levels,
      p.id AS project_id, p.organization_id::text AS project_organization_id, p.timezone AS project_timezone
    FROM personal_api_keys k
    JOIN users u ON u.id = k.user_id
    LEFT JOIN projects p ON p.id = CASE WHEN $2::boolean THEN u.current_project_id ELSE $3::integer END AND p.deleted_at IS NULL
    WHERE k.secure_value = $1 AND u.is_active`,
};

interface CallerRow {
  id: string;
  scopes: string[];
  scoped_teams: number[];
  scoped_organizations: string[];
  last_used_at: Date | null;
  user_id: number;
  current_project_id: number | null;
  current_organization_id: string | null;
  levels: Record<string, number>;
  project_id: number | null;
  project_organization_id: string;
  project_timezone: string;
}

/** Callers in Postgres. Nothing is kept in memory: a key that is revoked is worth nothing from then on. */
export function createCallerStore(pool: Pool): CallerStore {
  return {
    async find(keyHash, wanted) {
      const values = [keyHash, wanted === '@current', wanted === '@current' ? null : wanted];
      const [row] = (await pool.query<CallerRow>({ ...find, values })).rows;
      return row === undefined ? null : foundOf(row);
    },
    async noteUse(keyId, atMs) {
      await pool.query('UPDATE personal_api_keys SET last_used_at = $2 WHERE id = $1', [keyId, new Date(atMs)]);
    },
  };
}

function foundOf(row: CallerRow): FoundCaller {
  const { project_id: id, project_organization_id: organizationId, project_timezone: timezone } = row;
  return {
    caller: {
      keyId: row.id,
      userId: row.user_id,
      scopes: row.scopes,
      scopedProjects: row.scoped_teams,
      scopedOrganizations: row.scoped_organizations,
      currentProjectId: row.current_project_id,
      currentOrganizationId: row.current_organization_id,
      levels: row.levels,
    },
    lastUsedAt: row.last_used_at,
    project: id === null ? null : { id, organizationId, timezone },
  };
}
