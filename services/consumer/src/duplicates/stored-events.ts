import type { EventDraft } from '../event-draft.ts';

/** Runs a statement on ClickHouse and answers its rows. Throws on any trouble with the engine. */
export type AskClickhouse = <Row>(query: { sql: string; params: Record<string, unknown> }) => Promise<Row[]>;

/** Asks ClickHouse which events it has. */
export interface StoredEvents {
  find(drafts: readonly EventDraft[]): Promise<ReadonlySet<EventDraft>>;
}

/** ClickHouse refuses a parameter of more than 131,072 bytes as it is sent: about 2,900 uuids. */
const uuidsPerQuestion = 2_000;

// A column under an alias of its own name would be compared in the alias's type: no aliases here.
const question = `SELECT team_id, uuid, event, distinct_id
FROM analytics.events
WHERE team_id IN {teams:Array(Int64)} AND toDate32(timestamp) IN {days:Array(Date32)} AND uuid IN {uuids:Array(UUID)}`;

interface StoredEvent {
  /** 64 bits: a number or its text, as the server is set. */
  team_id: string | number;
  uuid: string;
  event: string;
  distinct_id: string;
}

/** One question a batch (more only beyond 2,000 events), by project, day and uuid. */
export function createStoredEvents(ask: AskClickhouse): StoredEvents {
  return {
    async find(drafts) {
      const found = new Set<string>();
      for (let at = 0; at < drafts.length; at += uuidsPerQuestion) {
        const part = drafts.slice(at, at + uuidsPerQuestion);
        const rows = await ask<StoredEvent>({ sql: question, params: paramsOf(part) });
        for (const { team_id: teamId, uuid, event, distinct_id: distinctId } of rows) found.add(identity(teamId, uuid, event, distinctId));
      }
      return new Set(drafts.filter(({ project, head, event }) => found.has(identity(project.id, head.uuid, event, head.distinctId))));
    },
  };
}

function paramsOf(drafts: readonly EventDraft[]): Record<string, unknown> {
  return {
    teams: [...new Set(drafts.map(({ project }) => project.id))],
    days: [...new Set(drafts.map(({ head }) => head.timestamp.slice(0, 10)))],
    uuids: drafts.map(({ head }) => head.uuid),
  };
}

function identity(teamId: string | number, uuid: string, event: string, distinctId: string): string {
  return JSON.stringify([Number(teamId), uuid.toLowerCase(), event, distinctId]);
}
