import type { EventDraft } from '../events/event-draft.ts';

/** A statement; parameters are bound. */
export interface ClickhouseQuery {
  sql: string;
  params: Record<string, unknown>;
}

/** Runs a statement on ClickHouse and returns its rows. Throws on any failure of the engine. */
export type QueryClickhouse = <Row>(query: ClickhouseQuery) => Promise<Row[]>;

/** Looks events up in ClickHouse; `alive` is called before each query. */
export interface StoredEvents {
  find(drafts: readonly EventDraft[], alive: () => void): Promise<ReadonlySet<EventDraft>>;
}

/** ClickHouse refuses a parameter of more than 131,072 bytes as it is sent, which is about 2,900 uuids. */
const uuidsPerQuery = 2_000;
const bytesPerParameter = 120_000;

// The primary key finds the places where the events would be, the index of uuids leaves out those that have none of them.
// A column under an alias of its own name would be compared in the alias's type: the tuple's parts have other names.
const lookupSql = `SELECT team_id, uuid, event, distinct_id
FROM analytics.events
WHERE uuid IN {uuids:Array(UUID)} AND (team_id, toDate32(timestamp), event, cityHash64(distinct_id)) IN (
  SELECT place.1, place.2, place.3, cityHash64(place.4)
  FROM (SELECT arrayJoin(arrayZip({teams:Array(Int64)}, {days:Array(Date32)}, {events:Array(String)}, {ids:Array(String)})) AS place)
)`;

interface StoredEvent {
  /** 64 bits: a number or its text, as the server is set. */
  team_id: string | number;
  uuid: string;
  event: string;
  distinct_id: string;
}

/** Looks events up by project, day, name, distinct id and uuid: one query for each batch, more only beyond 2,000 events. */
export function createStoredEvents(query: QueryClickhouse): StoredEvents {
  return {
    async find(drafts, alive) {
      const found = new Set<string>();
      for (const part of lookups(drafts)) {
        alive();
        const rows = await query<StoredEvent>({ sql: lookupSql, params: paramsOf(part) });
        for (const { team_id: teamId, uuid, event, distinct_id: distinctId } of rows)
          found.add(identity(teamId, uuid, event, distinctId));
      }
      return new Set(
        drafts.filter(({ project, head, event }) => found.has(identity(project.id, head.uuid, event, head.distinctId))),
      );
    },
  };
}

/** Parts small enough for one query each. */
function* lookups(drafts: readonly EventDraft[]): Generator<EventDraft[]> {
  let part: EventDraft[] = [];
  let [ids, names] = [0, 0];
  for (const draft of drafts) {
    ids += bytesSent(draft.head.distinctId);
    names += bytesSent(draft.event);
    if (part.length === uuidsPerQuery || ids > bytesPerParameter || names > bytesPerParameter) {
      yield part;
      part = [];
      [ids, names] = [bytesSent(draft.head.distinctId), bytesSent(draft.event)];
    }
    part.push(draft);
  }
  if (part.length > 0) yield part;
}

const plainText = /^[\w.-]*$/;

/** Most bytes of a URL for a text within an array: quotes, comma, and three bytes for each escaped one. */
function bytesSent(text: string): number {
  return 9 + (plainText.test(text) ? text.length : 6 * Buffer.byteLength(text));
}

function paramsOf(drafts: readonly EventDraft[]): Record<string, unknown> {
  return {
    teams: drafts.map(({ project }) => project.id),
    days: drafts.map(({ head }) => head.timestamp.slice(0, 10)),
    events: drafts.map(({ event }) => event),
    ids: drafts.map(({ head }) => head.distinctId),
    uuids: drafts.map(({ head }) => head.uuid),
  };
}

function identity(teamId: string | number, uuid: string, event: string, distinctId: string): string {
  return JSON.stringify([Number(teamId), uuid.toLowerCase(), event, distinctId]);
}
