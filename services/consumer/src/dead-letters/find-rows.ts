import { parseMicroseconds } from '@millrace/runtime/date-time.ts';
import { isUuid } from '@millrace/runtime/ids.ts';
import type { QueryClickhouse } from '../duplicates/stored-events.ts';
import type { EntryFacts } from './letter-events.ts';

/** An event's row. */
export interface StoredRow {
  projectId: number;
  uuid: string;
  event: string;
  distinctId: string;
  timestamp: string;
  insertedAt: string;
}

/** An event whose row can be found by the primary key: its day, and its project if that is known. */
export type Findable = EntryFacts & { uuid: string; timestamp: string };

/** ClickHouse refuses a parameter of more than 131,072 bytes as it is sent. */
const uuidsPerQuery = 1_000;

// A column under an alias of its own name would be compared in the alias's type.
export const rowColumns =
  'toString(team_id) AS project, toString(uuid) AS id, event, distinct_id, toString(timestamp) AS at, toString(inserted_at) AS inserted';

const lookupSql = `SELECT ${rowColumns} FROM analytics.events WHERE toDate32(timestamp) IN {days:Array(Date32)} AND uuid IN {uuids:Array(UUID)}`;

export interface ResponseRow {
  project: string;
  id: string;
  event: string;
  distinct_id: string;
  at: string;
  inserted: string;
}

/** True when an entry has all that is needed to find its row. Pure. */
export function isFindable(facts: EntryFacts): facts is Findable {
  return (
    facts.uuid !== null && isUuid(facts.uuid) && facts.timestamp !== null && parseMicroseconds(facts.timestamp) !== null
  );
}

/** The rows of these events, as far as there are any. */
export async function findRows(query: QueryClickhouse, events: readonly Findable[]): Promise<StoredRow[]> {
  const rows: StoredRow[] = [];
  const known = slices(events.filter(({ projectId }) => projectId !== null));
  const unknown = slices(events.filter(({ projectId }) => projectId === null));
  for (const part of known)
    rows.push(
      ...(
        await query<ResponseRow>({ sql: `${lookupSql} AND team_id IN {teams:Array(Int64)}`, params: paramsOf(part) })
      ).map(toRow),
    );
  for (const part of unknown)
    rows.push(...(await query<ResponseRow>({ sql: lookupSql, params: paramsOf(part) })).map(toRow));
  return rows;
}

function paramsOf(events: readonly Findable[]): Record<string, unknown> {
  return {
    teams: [...new Set(events.flatMap(({ projectId }) => (projectId === null ? [] : [projectId])))],
    days: [...new Set(events.map(({ timestamp }) => timestamp.slice(0, 10)))],
    uuids: events.map(({ uuid }) => uuid),
  };
}

/** Pure. */
export function toRow({ project, id, event, distinct_id: distinctId, at, inserted }: ResponseRow): StoredRow {
  return { projectId: Number(project), uuid: id, event, distinctId, timestamp: isoOf(at), insertedAt: isoOf(inserted) };
}

const isoOf = (text: string): string => `${text.replace(' ', 'T')}Z`;

function slices(events: readonly Findable[]): Findable[][] {
  return Array.from({ length: Math.ceil(events.length / uuidsPerQuery) }, (_, at) =>
    events.slice(at * uuidsPerQuery, (at + 1) * uuidsPerQuery),
  );
}
