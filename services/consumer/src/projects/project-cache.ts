import type { Clock } from '@millrace/runtime/clock.ts';
import type { Queryable } from '../database.ts';

/** The facts about a project that the consumer needs. */
export interface Project {
  id: number;
  token: string;
  anonymizeIps: boolean;
  /** `$merge_dangerously` may swallow persons who are identified (contract/capture 4.4). */
  allowDangerousMerges: boolean;
  /** IANA name. */
  timezone: string;
  /** There are other projects, which may have to wait for this one. */
  hasNeighbours: boolean;
}

/** Placeholder of a draft's project until it is resolved. */
export const noProject: Project = {
  id: 0,
  token: '',
  anonymizeIps: true,
  allowDangerousMerges: false,
  timezone: 'UTC',
  hasNeighbours: false,
};

/** Projects that were loaded; null when there is none. */
export interface ProjectLookup {
  byId(id: number): Project | null;
  byToken(token: string): Project | null;
}

export interface ProjectCache {
  /** These projects; what is unknown or too old is loaded, in one statement. Throws what `pg` throws. */
  load(ids: ReadonlySet<number>, tokens: ReadonlySet<string>): Promise<ProjectLookup>;
}

/** A change of a project's settings counts within this time. */
const maxAgeMs = 10_000;
/** A token that named no project is looked up again after this time. */
const missAgeMs = 2_000;
/** Maximum projects and misses in the cache; beyond it all are evicted and loaded again. */
const entriesMax = 20_000;

interface Entry {
  project: Project | null;
  until: number;
}

/** Projects by id and by token, each at most ten seconds old. */
export function createProjectCache(db: Queryable, clock: Clock): ProjectCache {
  const entries = new Map<string, Entry>();

  function take(key: string, into: Map<string, Project | null>): boolean {
    const entry = entries.get(key);
    if (entry === undefined || entry.until <= clock.nowMs()) return false;
    into.set(key, entry.project);
    return true;
  }

  function cache(found: ReadonlyMap<string, Project | null>): void {
    if (entries.size > entriesMax) entries.clear();
    const now = clock.nowMs();
    for (const [key, project] of found)
      entries.set(key, { project, until: now + (project === null ? missAgeMs : maxAgeMs) });
  }

  return {
    async load(ids, tokens) {
      const projects = new Map<string, Project | null>();
      const staleIds = [...ids].filter((id) => !take(idKey(id), projects));
      const staleTokens = [...tokens].filter((token) => !take(tokenKey(token), projects));
      if (staleIds.length > 0 || staleTokens.length > 0) {
        const found = await fetchProjects(db, staleIds, staleTokens);
        cache(found);
        for (const [key, project] of found) projects.set(key, project);
      }
      return {
        byId: (id) => projects.get(idKey(id)) ?? null,
        byToken: (token) => projects.get(tokenKey(token)) ?? null,
      };
    },
  };
}

/** Results by key; null: there is no such project. */
async function fetchProjects(db: Queryable, ids: number[], tokens: string[]): Promise<Map<string, Project | null>> {
  const { rows } = await db.query<Project>(selectProjects(ids, tokens));
  const found = new Map<string, Project | null>([...ids.map(idKey), ...tokens.map(tokenKey)].map((key) => [key, null]));
  for (const project of rows) {
    found.set(idKey(project.id), project);
    found.set(tokenKey(project.token), project);
  }
  return found;
}

function idKey(id: number): string {
  return `id:${id}`;
}

function tokenKey(token: string): string {
  return `token:${token}`;
}

const hasNeighbours = 'EXISTS (SELECT FROM projects WHERE deleted_at IS NULL LIMIT 1 OFFSET 1) AS "hasNeighbours"';

/**
 * A token that was rotated away still names its project, a day longer than capture takes it: what it was sent with may
 * have waited in the log (contract/capture 1.6).
 */
function selectProjects(ids: number[], tokens: string[]): { name: string; text: string; values: unknown[] } {
  return {
    name: 'select-projects',
    text: `SELECT id, api_token AS token, anonymize_ips AS "anonymizeIps", allow_dangerous_merges AS "allowDangerousMerges", timezone, ${hasNeighbours}
  FROM projects
  WHERE (id = ANY($1::int[]) OR api_token = ANY($2::text[])) AND deleted_at IS NULL
  UNION ALL
  SELECT project.id, previous.token, project.anonymize_ips, project.allow_dangerous_merges, project.timezone, ${hasNeighbours}
  FROM previous_project_tokens previous JOIN projects project ON project.id = previous.project_id
  WHERE previous.token = ANY($2::text[]) AND previous.valid_until > now() - interval '1 day' AND project.deleted_at IS NULL`,
    values: [ids, tokens],
  };
}
