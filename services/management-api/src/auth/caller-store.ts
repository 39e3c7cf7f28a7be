import type { Pool } from '@millrace/postgres/pool.ts';
import type { FoundCaller, Project } from './caller.ts';

/**
 * Object that the path of a call names: by its id, the caller's current one (`@current`), or (null) by something that
 * no id can be.
 */
export type Wanted =
  { kind: 'project'; id: number | '@current' | null } | { kind: 'organization'; id: string | null } | { kind: 'user' };

/** Looks callers up. */
export interface Callers {
  /**
   * Finds the owner of the key (by its hash), and the project or organization of the call; null: no active user has
   * such a key. The caller of this checks whether the key has expired.
   */
  find(keyHash: string, wanted: Wanted): Promise<FoundCaller | null>;
}

export interface CallerStore extends Callers {
  /** Records that the key was used, unless any process recorded it after `unlessSinceMs`. */
  recordUse(keyId: string, atMs: number, unlessSinceMs: number): Promise<void>;
}

// One statement for key, user, memberships, project and organization, prepared once a connection.
const find = {
  name: 'find-caller',
  text: `SELECT k.id, k.scopes, k.scoped_teams, k.scoped_organizations::text[], k.last_used_at, k.expires_at,
      u.id AS user_id, u.uuid::text AS user_uuid, u.current_project_id, u.current_organization_id::text,
      (SELECT coalesce(jsonb_object_agg(m.organization_id, m.level), '{}') FROM memberships m WHERE m.user_id = u.id) AS levels,
      p.id AS project_id, p.organization_id::text AS project_organization_id, p.timezone AS project_timezone, p.access_control,
      (SELECT a.level FROM project_access a WHERE a.project_id = p.id AND a.user_id = u.id AND a.level IN ('member', 'admin')) AS caller_is,
      o.id::text AS organization_id
    FROM personal_api_keys k
    JOIN users u ON u.id = k.user_id
    LEFT JOIN projects p ON p.id = CASE WHEN $2 = 'current project' THEN u.current_project_id ELSE $3::integer END AND p.deleted_at IS NULL
    LEFT JOIN organizations o ON o.id = CASE WHEN $2 = 'current organization' THEN u.current_organization_id ELSE $4::uuid END
    WHERE k.secure_value = $1 AND u.is_active`,
};

interface CallerRow {
  id: string;
  scopes: string[];
  scoped_teams: number[];
  scoped_organizations: string[];
  last_used_at: Date | null;
  expires_at: Date | null;
  user_id: number;
  user_uuid: string;
  current_project_id: number | null;
  current_organization_id: string | null;
  levels: Record<string, number>;
  project_id: number | null;
  project_organization_id: string;
  project_timezone: string;
  access_control: boolean;
  caller_is: 'member' | 'admin' | null;
  organization_id: string | null;
}

/** Callers in Postgres, as they are at this moment. */
export function createCallerStore(pool: Pool): CallerStore {
  return {
    async find(keyHash, wanted) {
      const [row] = (await pool.query<CallerRow>({ ...find, values: [keyHash, ...valuesOf(wanted)] })).rows;
      return row === undefined ? null : foundOf(row, keyHash);
    },
    async recordUse(keyId, atMs, unlessSinceMs) {
      const sql =
        'UPDATE personal_api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $3)';
      await pool.query(sql, [keyId, new Date(atMs), new Date(unlessSinceMs)]);
    },
  };
}

function valuesOf(wanted: Wanted): [current: string, projectId: number | null, organizationId: string | null] {
  if (wanted.kind === 'user') return ['', null, null];
  if (wanted.id === '@current') return [`current ${wanted.kind}`, null, null];
  return wanted.kind === 'project' ? ['', wanted.id, null] : ['', null, wanted.id];
}

function foundOf(row: CallerRow, keyHash: string): FoundCaller {
  const { project_id: projectId, organization_id: organizationId } = row;
  return {
    caller: {
      keyId: row.id,
      keyHash,
      userId: row.user_id,
      userUuid: row.user_uuid,
      scopes: row.scopes,
      scopedProjects: row.scoped_teams,
      scopedOrganizations: row.scoped_organizations,
      expiresAtMs: row.expires_at?.getTime() ?? null,
      currentProjectId: row.current_project_id,
      currentOrganizationId: row.current_organization_id,
      levels: row.levels,
    },
    lastUsedAtMs: row.last_used_at?.getTime() ?? null,
    project: projectId === null ? null : projectOf(row, projectId),
    organization: organizationId === null ? null : { id: organizationId },
  };
}

function projectOf(
  {
    project_organization_id: organizationId,
    project_timezone: timezone,
    access_control: isPrivate,
    caller_is: callerIs,
  }: CallerRow,
  id: number,
): Project {
  return { id, organizationId, timezone, isPrivate, callerIs };
}
