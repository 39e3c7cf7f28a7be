import type { Change, ChangeBatch } from '@millrace/postgres/change.ts';
import type { Pool } from '@millrace/postgres/pool.ts';
import type { PropertyType } from '@millrace/contracts/property-types.ts';
import type { LearnedNames } from '@millrace/query-language/schema/learned-names.ts';
import type { KnownProperty, PropertyOwnerPath } from '@millrace/query-language/schema/project-schema.ts';
import type { UnknownName } from '@millrace/query-language/warnings.ts';
import { createLeastRecentlyUsed } from '../../least-recently-used.ts';

/** Names and types of projects, as queries are compiled with. */
export interface ProjectNames {
  /** Types as the change feed has brought them; new names are up to a minute late. Throws what `pg` throws. */
  of(projectId: number): Promise<LearnedNames>;
  /** The same, read now, or in a read that has begun. */
  newest(projectId: number): Promise<LearnedNames>;
  /** True when the project has one of these names by now, or not all of its names are learned any more. Cheap, where all names may be thousands. Throws what `pg` throws. */
  haveCome(projectId: number, names: readonly UnknownName[]): Promise<boolean>;
  /** Drops the names of the projects of which a type has changed. */
  invalidate(batch: ChangeBatch): void;
}

/** Names of all cached projects together. */
const namesMax = 500_000;
const projectsMax = 10_000;
const ageMsMax = 60_000;

interface Entry {
  projectId: number;
  names: LearnedNames;
  atMs: number;
}

/** A cache over Postgres. Callers of one project that is not cached share one read. */
export function createProjectNames(pool: Pool): ProjectNames {
  const entries = createLeastRecentlyUsed<number, Entry>(projectsMax, {
    weightMax: namesMax,
    weightOf: ({ names }) => sizeOf(names),
  });
  const loading = new Map<number, Promise<LearnedNames>>();

  function load(projectId: number): Promise<LearnedNames> {
    const atMs = performance.now();
    const read = readNames(pool, projectId)
      .then((names) => {
        // A read that a change has overtaken is not kept.
        if (loading.get(projectId) === read) entries.set(projectId, { projectId, names, atMs });
        return names;
      })
      .finally(() => {
        if (loading.get(projectId) === read) loading.delete(projectId);
      });
    loading.set(projectId, read);
    return read;
  }

  async function find(projectId: number): Promise<LearnedNames> {
    const cached = entries.get(projectId);
    if (cached !== undefined && performance.now() < cached.atMs + ageMsMax) return cached.names;
    return await (loading.get(projectId) ?? load(projectId));
  }

  function forget(isMeant: (projectId: number) => boolean): void {
    for (const projectId of [...loading.keys()]) if (isMeant(projectId)) loading.delete(projectId);
    entries.deleteWhere(({ projectId }) => isMeant(projectId));
  }

  return {
    of: find,
    newest: async (projectId) => await (loading.get(projectId) ?? load(projectId)),
    haveCome: (projectId, names) => hasOneOf(pool, projectId, names),
    invalidate(batch) {
      if (batch === 'everything') return forget(() => true);
      const changed = new Set(batch.filter(isOfType).map(({ projectId }) => projectId));
      if (changed.size > 0) forget((projectId) => changed.has(projectId));
    },
  };
}

const isOfType = ({ topic }: Change): boolean => topic === 'property_type';

function sizeOf({ events, properties }: LearnedNames): number {
  return Object.values(properties).reduce((sum, list) => sum + list.length, events.length);
}

interface TypeRow {
  type: string;
  group_type_index: number;
  name: string;
  property_type: PropertyType | null;
}

async function hasOneOf(pool: Pool, projectId: number, names: readonly UnknownName[]): Promise<boolean> {
  const { rows } = await pool.query<{ is_there: boolean }>({
    name: 'find-names-that-came',
    text: `SELECT EXISTS (
      SELECT FROM unnest($2::text[], $3::text[]) AS given(list, name) WHERE CASE
        WHEN list = 'events' THEN EXISTS (SELECT FROM event_definitions d WHERE d.project_id = $1 AND d.name = given.name)
        ELSE EXISTS (SELECT FROM property_definitions d WHERE d.project_id = $1 AND d.type = split_part(list, '_', 1)
          AND d.group_type_index = coalesce(nullif(split_part(list, '_', 2), '')::smallint, -1) AND d.name = given.name)
      END) OR EXISTS (SELECT FROM projects WHERE id = $1 AND definitions_complete_at IS NULL) AS is_there`,
    values: [projectId, names.map(({ list }) => list), names.map(({ name }) => name)],
  });
  return rows[0]?.is_there ?? false;
}

async function readNames(pool: Pool, projectId: number): Promise<LearnedNames> {
  // First: the lists are read when all names are in them.
  const project = await pool.query<{ is_complete: boolean }>({
    name: 'find-definitions-complete',
    text: 'SELECT definitions_complete_at IS NOT NULL AS is_complete FROM projects WHERE id = $1',
    values: [projectId],
  });
  const [events, properties] = await Promise.all([
    pool.query<{ name: string }>({
      name: 'find-event-names',
      text: 'SELECT name FROM event_definitions WHERE project_id = $1 ORDER BY name',
      values: [projectId],
    }),
    pool.query<TypeRow>({
      name: 'find-property-types',
      text: 'SELECT type, group_type_index, name, property_type FROM property_definitions WHERE project_id = $1 ORDER BY name',
      values: [projectId],
    }),
  ]);
  const byOwner: Partial<Record<PropertyOwnerPath, KnownProperty[]>> = {};
  for (const { type, group_type_index: index, name, property_type: settled } of properties.rows) {
    const owner = (type === 'group' ? `group_${index}` : type) as PropertyOwnerPath;
    (byOwner[owner] ??= []).push({ name, type: settled });
  }
  return {
    events: events.rows.map(({ name }) => name),
    properties: byOwner,
    isComplete: project.rows[0]?.is_complete ?? false,
  };
}
