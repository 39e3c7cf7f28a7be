import { randomUUID } from 'node:crypto';
import { createClickhouse } from '@millrace/clickhouse/client.ts';
import { RowBatch } from '@millrace/clickhouse/insert/encode-rows.ts';
import { insertBatch } from '@millrace/clickhouse/insert/insert.ts';
import { RowsRefusedError } from '@millrace/clickhouse/insert/insert-errors.ts';
import { logEntries } from '@millrace/contracts/tables/log-entries.ts';
import { queryLog } from '@millrace/contracts/tables/query-log.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { logEntryOf, queryLogRowOf, type RunRecord } from './run-record.ts';

export interface RunRecords {
  /**
   * Records the outcome of a run; stored within a second or two. Never waits, never throws: when the queue is full the
   * record is counted and lost.
   */
  add(record: RunRecord): void;
  start(): void;
  /** Stores the records, if ClickHouse takes them. */
  stop(): Promise<void>;
}

/** Records to store, as bytes: objects that wait for a second would be copied by every young collection (docs/performance.md#management-api). */
interface RunRecordBatch {
  readonly length: number;
  /** @throws for a record that cannot be stored; the batch is unchanged then */
  add(record: RunRecord): void;
  /** Stores all records. After a failure some may be stored: another call stores only the rest. Nothing may be added after the first call. */
  store(): Promise<void>;
}

interface RunRecordStore {
  /** An empty batch. */
  begin(): RunRecordBatch;
  close(): Promise<void>;
}

interface RunRecordsOptions {
  logger: Logger;
  onLost: (count: number) => void;
  /** Most records in memory, of about a third of a kilobyte each. */
  recordsMax?: number;
  everyMs?: number;
}

/** The tables `query_log` and `log_entries` (contract/endpoints 7, 10), one request a second for each. */
export function connectRunRecordStore(login: { url: string; user: string; password: string }): RunRecordStore {
  const client = createClickhouse({
    ...login,
    applicationName: 'management-api-records',
    requestTimeoutMs: 5_000,
    connectionsMax: 2,
  });
  return {
    begin() {
      const options = { dedupeToken: randomUUID() };
      const [forQueries, forPeople] = [new RowBatch(queryLog), new RowBatch(logEntries)];
      let length = 0;
      return {
        get length() {
          return length;
        },
        add(record) {
          const [row, entry] = [queryLogRowOf(record), logEntryOf(record)];
          forQueries.add(row);
          try {
            forPeople.add(entry);
          } catch (error) {
            forQueries.takeBack();
            throw error;
          }
          length += 1;
        },
        async store() {
          await insertBatch(client, forQueries, options);
          await insertBatch(client, forPeople, options);
        },
      };
    },
    close: () => client.close(),
  };
}

/** Discards all records, for a process without the password of their writer. */
export const noRunRecords: RunRecords = { add: () => undefined, start: () => undefined, stop: () => Promise.resolve() };

const recordsAtOnce = 16;

/**
 * Gathers records and stores them together. While ClickHouse refuses them they wait in a bounded queue.
 */
export function createRunRecords(
  store: RunRecordStore,
  { logger, onLost, recordsMax = 20_000, everyMs = 1_000 }: RunRecordsOptions,
): RunRecords {
  /** Records that are not encoded yet. A few are encoded together, because one at a time costs more. */
  let fresh: RunRecord[] = [];
  let gathered = store.begin();
  let waiting: RunRecordBatch | undefined;
  let timer: NodeJS.Timeout | undefined;
  let storing: Promise<void> | undefined;
  // One line an outage, not one a run.
  let isReported = { waiting: false, lost: false };
  const count = (): number => fresh.length + gathered.length + (waiting?.length ?? 0);

  function lose(lost: number, err?: unknown): void {
    onLost(lost);
    if (!isReported.lost)
      logger.warn({ err, count: lost }, 'entries of the logs of endpoints are lost; the metric counts the rest');
    isReported.lost = true;
  }

  function gather(): void {
    const records = fresh;
    fresh = [];
    for (const record of records) {
      // An error of one record must not lose the others or end the process; no caller would catch it.
      try {
        gathered.add(record);
      } catch (error) {
        lose(1, error);
      }
    }
  }

  async function flush(): Promise<void> {
    gather();
    if (waiting === undefined) {
      if (gathered.length === 0) return;
      waiting = gathered;
      gathered = store.begin();
    }
    try {
      await waiting.store();
      isReported = { waiting: false, lost: false };
    } catch (err) {
      if (!(err instanceof RowsRefusedError)) {
        if (!isReported.waiting) logger.warn({ err }, 'the logs of endpoints are not stored yet');
        isReported.waiting = true;
        return;
      }
      lose(waiting.length, err);
    }
    waiting = undefined;
  }

  return {
    add(record) {
      if (count() >= recordsMax) return lose(1);
      // After the reply, which is sent in the same turn.
      if (fresh.push(record) === recordsAtOnce) setImmediate(gather);
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
      // More records may wait after a batch that was waiting.
      if (waiting === undefined) await flush();
      const left = count();
      if (left > 0) lose(left);
      await store.close();
    },
  };
}
