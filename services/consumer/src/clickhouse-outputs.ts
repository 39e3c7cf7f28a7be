import { randomUUID } from 'node:crypto';
import type { createClickhouse } from '@millrace/clickhouse/client.ts';
import { insertRows } from '@millrace/clickhouse/insert/insert.ts';
import type { RowList } from '@millrace/clickhouse/insert/row-list.ts';
import type { Lane } from '@millrace/contracts/lanes.ts';
import { events } from '@millrace/contracts/tables/events.ts';
import { groups } from '@millrace/contracts/tables/groups.ts';
import { ingestionWarnings } from '@millrace/contracts/tables/ingestion-warnings.ts';
import { personContents } from '@millrace/contracts/tables/person-contents.ts';
import { personDistinctIds } from '@millrace/contracts/tables/person-distinct-ids.ts';
import { personOverrides } from '@millrace/contracts/tables/person-overrides.ts';
import { persons } from '@millrace/contracts/tables/persons.ts';
import type { EventLog } from '@millrace/event-log/event-log.ts';
import { appendDeadLetters } from './dead-letters/dead-letter-lane.ts';
import type { QueryClickhouse } from './duplicates/stored-events.ts';
import type { ConsumerMetrics } from './metrics.ts';
import { appendMoved } from './overflow/append-moved.ts';
import type { Outputs } from './rows/outputs.ts';
import type { TableName, TableRows } from './rows/rows.ts';

type Client = ReturnType<typeof createClickhouse>;

type Inserts = {
  [T in TableName]: (rows: RowList<TableRows[T]>, options: { dedupeToken: string }) => Promise<{ rows: number }>;
};

/** Rows to ClickHouse, dead letters to the log; of the batches of one lane. */
export function createOutputs(client: Client, log: EventLog, metrics: ConsumerMetrics, lane: Lane): Outputs {
  const inserts: Inserts = {
    events: (rows, options) => insertRows(client, events, rows, options),
    persons: (rows, options) => insertRows(client, persons, rows, options),
    person_distinct_ids: (rows, options) => insertRows(client, personDistinctIds, rows, options),
    person_overrides: (rows, options) => insertRows(client, personOverrides, rows, options),
    person_contents: (rows, options) => insertRows(client, personContents, rows, options),
    groups: (rows, options) => insertRows(client, groups, rows, options),
    ingestion_warnings: (rows, options) => insertRows(client, ingestionWarnings, rows, options),
  };
  return {
    async insert(table, rows, token) {
      const timed = metrics.insertSeconds.startTimer({ table, lane });
      // Without a token of the batch one of its own: the same rows again are another insert.
      await inserts[table](rows, { dedupeToken: token ?? `${table}:${randomUUID()}` });
      timed();
    },
    moveToOverflow: (partition, entries) => appendMoved(log, partition, entries),
    keepDeadLetters: (letters) => appendDeadLetters(log, letters),
  };
}

/** Queries of ClickHouse; parameters are bound. */
export function queryClickhouse(client: Client): QueryClickhouse {
  return async ({ sql, params }) => {
    const result = await client.query({ query: sql, query_params: params, format: 'JSONEachRow' });
    return result.json();
  };
}
