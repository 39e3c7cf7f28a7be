import type { Change, ChangeBatch } from '@millrace/postgres/change.ts';
import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import type { Pool } from '@millrace/postgres/pool.ts';
import { namesOf, none, projectsOf } from '../changes/changed-names.ts';
import { createInvalidatedCache, type InvalidatedCacheOptions } from '../changes/invalidated-cache.ts';
import type { Project } from './caller.ts';

/** A run token as stored: its bearer may run one endpoint, and do nothing else (contract/endpoints 4.9). */
export interface RunToken {
  id: string;
  endpoint: { id: string; name: string };
  project: Project;
  /** The user who made it. */
  makerId: number;
  /** The only version that it runs; null: the newest. */
  version: number | null;
  /** Values that its holder cannot change, by name. */
  variables: Readonly<Record<string, unknown>>;
  runsPerMinute: number | null;
  /** In which it may stream. */
  formats: readonly string[];
  /** Rows that it shows, from the first on; null: all rows of one reply. */
  rowsMax: number | null;
  /** Its runs may request the rows of now (`refresh`). */
  mayRefresh: boolean;
  expiresAtMs: number | null;
}

/** Finds run tokens. */
export interface RunTokenStore {
  /**
   * The token of this hash. Null: there is none, its endpoint or project is deleted, or its creator is switched off or may not see
   * the project any more. The caller must check whether it has expired.
   */
  find(hash: string): Promise<RunToken | null>;
}

/** Run tokens in memory, invalidated by the change feed. */
export interface RunTokenCache extends RunTokenStore {
  /** Drops the tokens that the changes are about. */
  invalidate(batch: ChangeBatch): void;
  /** Drops all: this process has changed something, and the feed has not brought it yet. */
  clear(): void;
}

const find = {
  name: 'find-run-token',
  text: `SELECT t.id, t.version, t.variables, t.runs_per_minute, t.formats, t.rows_max, t.may_refresh, t.expires_at, e.id AS endpoint_id, e.name AS endpoint_name,
      p.id AS project_id, p.organization_id::text, p.timezone, p.access_control, t.created_by_id AS maker_id
    FROM endpoint_tokens t
    JOIN endpoints e ON e.id = t.endpoint_id AND e.deleted_at IS NULL
    JOIN projects p ON p.id = e.project_id AND p.deleted_at IS NULL
    JOIN users u ON u.id = t.created_by_id AND u.is_active
    JOIN memberships m ON m.user_id = u.id AND m.organization_id = p.organization_id
    WHERE t.secure_value = $1 AND (NOT p.access_control OR m.level >= ${membershipLevels.admin}
      OR EXISTS (SELECT FROM project_access a WHERE a.project_id = p.id AND a.user_id = u.id AND a.level IN ('member', 'admin')))`,
};

interface TokenRow {
  id: string;
  version: number | null;
  variables: Record<string, unknown>;
  runs_per_minute: number | null;
  formats: string[];
  rows_max: number | null;
  may_refresh: boolean;
  expires_at: Date | null;
  endpoint_id: string;
  endpoint_name: string;
  project_id: number;
  organization_id: string;
  timezone: string;
  access_control: boolean;
  maker_id: number;
}

/** Tokens in Postgres, as they are at this moment. */
export function createRunTokenStore(pool: Pool): RunTokenStore {
  return {
    async find(hash) {
      const [row] = (await pool.query<TokenRow>({ ...find, values: [hash] })).rows;
      return row === undefined ? null : tokenOf(row);
    },
  };
}

/** Tokens in memory, in front of the store: a revoked one counts until the change arrives, which takes milliseconds. */
export function createRunTokenCache(store: RunTokenStore, options: InvalidatedCacheOptions): RunTokenCache {
  const tokens = createInvalidatedCache<RunToken>(options);
  return {
    find: (hash) => tokens.find(hash, () => store.find(hash)),
    invalidate: (batch) => tokens.invalidate(batch, staleBy),
    clear: () => tokens.clear(),
  };
}

/** Tokens that the changes are about; undefined: they are about none. Pure. */
function staleBy(changes: readonly Change[]): ((token: RunToken) => boolean) | undefined {
  const tokens = namesOf(changes, 'endpoint_token');
  const endpoints = namesOf(changes, 'endpoint');
  const projects = projectsOf(changes);
  const users = namesOf(changes, 'user', 'membership');
  if (tokens === none && endpoints === none && users === none && projects.size === 0) return undefined;
  return ({ id, endpoint, project, makerId }) =>
    tokens.has(id) || endpoints.has(endpoint.id) || projects.has(project.id) || users.has(String(makerId));
}

function tokenOf(row: TokenRow): RunToken {
  const { id, version, variables } = row;
  return {
    id,
    version,
    variables,
    endpoint: { id: row.endpoint_id, name: row.endpoint_name },
    project: {
      id: row.project_id,
      organizationId: row.organization_id,
      timezone: row.timezone,
      isPrivate: row.access_control,
      callerIs: null,
    },
    makerId: row.maker_id,
    runsPerMinute: row.runs_per_minute,
    formats: row.formats,
    rowsMax: row.rows_max,
    mayRefresh: row.may_refresh,
    expiresAtMs: row.expires_at?.getTime() ?? null,
  };
}
