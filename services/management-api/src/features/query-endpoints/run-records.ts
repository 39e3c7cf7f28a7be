import { randomUUID } from 'node:crypto';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { insertRows } from '@millrace/clickhouse/insert.ts';
import { RowsRefusedError } from '@millrace/clickhouse/insert-errors.ts';
import type { RowList } from '@millrace/clickhouse/row-list.ts';
import { logEntries, queryLog } from '@millrace/clickhouse/tables.ts';
import type { Logger } from '@millrace/runtime/logger.ts';
import { logEntryOf, queryLogRowOf, type RunRecord } from './run-record.ts';

export interface RunRecords {
  /** Notes what became of a run; stored within a second or two. Never waits, never throws: what finds no room is counted and lost. */
  add(record: RunRecord): void;
  start(): void;
  /** Stores what is noted, if ClickHouse takes it. */
  stop(): Promise<void>;
}

interface RunRecordStore {
  /** All or, after a failure, perhaps some of them: given again under the same name they are stored once. */
  store(records: readonly RunRecord[], name: string): Promise<void>;
  close(): Promise<void>;
}

interface RunRecordsOptions {
  logger: Logger;
  onLost: (count: number) => void;
  /** Most records in memory, of about half a kilobyte each. */
  recordsMax?: number;
  everyMs?: number;
}

/** The tables `query_log` and `log_entries` (contract/endpoints 7, 10), one request a second for each. */
export function connectRunRecordStore(login: { url: string; user: string; password: string }): RunRecordStore {
  const client = createClickhouse({ ...login, applicationName: 'management-api-records', requestTimeoutMs: 5_000, connectionsMax: 2 });
  return {
    async store(records, name) {
      const options = { dedupeToken: name };
      await insertRows(client, queryLog, rowsOf(records, queryLogRowOf), options);
      await insertRows(client, logEntries, rowsOf(records, logEntryOf), options);
    },
    close: () => client.close(),
  };
}

/** Each made when it is written, a few hundred in a turn of the event loop: all of a second at once would hold it for milliseconds. */
function rowsOf<Row>(records: readonly RunRecord[], rowOf: (record: RunRecord) => Row): RowList<Row> {
  return { length: records.length, at: (index) => rowOf(records[index] as RunRecord) };
}

/** Keeps nothing: there is no place for it. */
export const noRunRecords: RunRecords = { add: () => undefined, start: () => undefined, stop: () => Promise.resolve() };

/** Gathers records and stores them together. While ClickHouse does not take them they wait, as far as there is room. */
export function createRunRecords(store: RunRecordStore, { logger, onLost, recordsMax = 20_000, everyMs = 1_000 }: RunRecordsOptions): RunRecords {
  let gathered: RunRecord[] = [];
  let batch: { name: string; records: readonly RunRecord[] } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> | undefined;
  // One line an outage, not one a run.
  let isTold = { waiting: false, lost: false };

  function lose(count: number, err?: unknown): void {
    onLost(count);
    if (!isTold.lost) logger.warn({ err, count }, 'entries of the logs of endpoints are lost; the metric counts the rest');
    isTold.lost = true;
  }

  async function flush(): Promise<void> {
    if (batch === undefined) {
      if (gathered.length === 0) return;
      batch = { name: randomUUID(), records: gathered };
      gathered = [];
    }
    try {
      await store.store(batch.records, batch.name);
      isTold = { waiting: false, lost: false };
    } catch (err) {
      if (!(err instanceof RowsRefusedError)) {
        if (!isTold.waiting) logger.warn({ err }, 'the logs of endpoints are not stored yet');
        isTold.waiting = true;
        return;
      }
      lose(batch.records.length, err);
    }
    batch = undefined;
  }

  return {
    add(record) {
      if (gathered.length + (batch?.records.length ?? 0) >= recordsMax) lose(1);
      else gathered.push(record);
    },
    start() {
      timer = setInterval(() => {
        storing ??= flush().finally(() => (storing = undefined));
      }, everyMs);
    },
    async stop() {
      clearInterval(timer);
      await storing;
      await flush();
      // Behind a batch that was waiting there may be more.
      if (batch === undefined) await flush();
      const left = gathered.length + (batch?.records.length ?? 0);
      if (left > 0) lose(left);
      await store.close();
    },
  };
}
