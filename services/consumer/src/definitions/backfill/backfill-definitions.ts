import type { Database, Queryable } from '../../database.ts';
import type { QueryClickhouse } from '../../duplicates/stored-events.ts';
import { createDefinitionStore } from '../definition-store.ts';
import {
  eventParts,
  findEvents,
  findProperties,
  stateParts,
  type BackfillPart,
  type EventRow,
  type PropertyRow,
} from './backfill-sql.ts';
import { joinFound, type FoundNames } from './join-found.ts';
import { writeFound } from './write-found.ts';

/** Parts that were read so far, of all that there are. */
interface BackfillProgress {
  done: number;
  parts: number;
  part: BackfillPart;
}

/** Result of a back-fill: parts that this run has read, and parts that an earlier run had. */
export interface BackfillReport {
  learned: number;
  skipped: number;
}

export interface BackfillOptions {
  query: QueryClickhouse;
  db: Database;
  signal: AbortSignal;
  onProgress: (progress: BackfillProgress) => void;
}

/**
 * Learns the names and types of stored events, month by month, and of persons and groups. Names are exact, types are of about a million
 * rows a part. A part is read once, and the parts of a project become definitions together, since a type is that of all values. The run
 * can be ended at any time and started again. Throws what the engines throw.
 */
export async function backfillDefinitions({ query, db, signal, onProgress }: BackfillOptions): Promise<BackfillReport> {
  const projects = await findProjects(db);
  const parts: BackfillPart[] = [];
  for (const found of [eventParts, stateParts('persons'), stateParts('groups')])
    parts.push(...(await query<BackfillPart>(found)).filter(({ projectId }) => projects.has(projectId)));
  const report = { learned: 0, skipped: 0 };
  for (const projectId of new Set(parts.map((part) => part.projectId))) {
    for (const part of parts.filter((one) => one.projectId === projectId)) {
      signal.throwIfAborted();
      if (await isRead(db, part)) report.skipped++;
      else if (await readPart(part, query, db)) report.learned++;
      onProgress({ done: report.learned + report.skipped, parts: parts.length, part });
    }
    await finishProject(projectId, db);
  }
  return report;
}

async function findProjects(db: Queryable): Promise<ReadonlySet<number>> {
  const { rows } = await db.query<{ id: number }>({
    name: 'find-projects',
    text: 'SELECT id FROM projects',
    values: [],
  });
  return new Set(rows.map(({ id }) => id));
}

async function isRead(db: Queryable, { projectId, period }: BackfillPart): Promise<boolean> {
  const { rows } = await db.query<object>({
    name: 'find-definition-backfill',
    text: 'SELECT 1 FROM definition_backfills WHERE project_id = $1 AND period = $2',
    values: [projectId, period],
  });
  return rows.length > 0;
}

/** False when another run was faster, or the project is gone. */
async function readPart(part: BackfillPart, query: QueryClickhouse, db: Queryable): Promise<boolean> {
  const isOfState = part.period === 'persons' || part.period === 'groups';
  const found: FoundNames = {
    owner: part.period === 'persons' ? 'person' : part.period === 'groups' ? 'group' : 'event',
    events: isOfState ? [] : (await query<EventRow>(findEvents(part))).map(storable),
    properties: (await query<PropertyRow>(findProperties(part))).map((row) => ({
      ...storable(row),
      name: withoutNul(row.name),
    })),
  };
  const { rows } = await db.query<object>({
    name: 'add-definition-backfill',
    text: `INSERT INTO definition_backfills (project_id, period, found) SELECT id, $2, $3::jsonb FROM projects WHERE id = $1
  ON CONFLICT DO NOTHING RETURNING 1`,
    values: [part.projectId, part.period, JSON.stringify(found)],
  });
  return rows.length > 0;
}

/** As the consumer learns it: Postgres stores no NUL. */
const withoutNul = (name: string): string => name.replaceAll('\0', '\ufffd');
const storable = <Row extends EventRow>(row: Row): Row => ({ ...row, event: withoutNul(row.event) });

/** Makes definitions of all parts that were read and are none yet. */
async function finishProject(projectId: number, db: Database): Promise<void> {
  await db.transaction(async (one) => {
    const { rows } = await one.query<{ period: string; found: FoundNames }>({
      name: 'find-definition-backfills',
      text: 'SELECT period, found FROM definition_backfills WHERE project_id = $1 AND found IS NOT NULL FOR UPDATE',
      values: [projectId],
    });
    if (rows.length === 0) return;
    await writeFound(
      joinFound(
        projectId,
        rows.map(({ found }) => found),
      ),
      createDefinitionStore(one),
    );
    await one.query({
      name: 'finish-definition-backfills',
      text: 'UPDATE definition_backfills SET found = NULL WHERE project_id = $1 AND period = ANY($2)',
      values: [projectId, rows.map(({ period }) => period)],
    });
  });
}
