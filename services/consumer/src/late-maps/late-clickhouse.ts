import { createClickhouse, type ClickhouseOptions } from '@millrace/clickhouse/client.ts';
import { insertRows } from '@millrace/clickhouse/insert/insert.ts';
import type { RowOf } from '@millrace/clickhouse/insert/table-columns.ts';
import { lateEvents } from '@millrace/contracts/tables/late-events.ts';
import type { LateStatement, StoredException } from './late-sql.ts';

/** The job's access to ClickHouse. All throw on any error of the engine, and when the process stops. */
export interface LateClickhouse {
  rows<Row>(statement: LateStatement): Promise<Row[]>;
  /** Reads exceptions until they are `bytesMax`, or all of the statement; at least one if there is one. */
  exceptions(statement: LateStatement, bytesMax: number): Promise<{ exceptions: StoredException[]; isCut: boolean }>;
  /** New properties of a run. */
  store(rows: readonly RowOf<typeof lateEvents>[], run: string): Promise<void>;
  /** Statements of user `maintainer`. */
  run(statement: LateStatement): Promise<void>;
  close(): Promise<void>;
}

const requestTimeoutMs = 600_000;

/** All of it stands back. */
const backSettings = { max_threads: 2, os_threads_nice_value_query: 10 } as const;

/** Little memory, however many exceptions there are. */
const readSettings = {
  ...backSettings,
  max_memory_usage: '500000000',
  max_block_size: '256',
  optimize_read_in_order: 1,
  cancel_http_readonly_queries_on_client_close: 1,
} as const;

/**
 * @param reader user `writer`, which reads events @param maintainer user `maintainer`, which changes them
 * @param signal ends whatever is under way; an update may still come to its end on the server
 */
export function connectLateClickhouse(
  reader: ClickhouseOptions,
  maintainer: ClickhouseOptions,
  signal: AbortSignal,
): LateClickhouse {
  const options = { applicationName: 'millrace-late-maps', requestTimeoutMs, connectionsMax: 1 };
  const reading = createClickhouse({ ...reader, ...options });
  const changing = createClickhouse({ ...maintainer, ...options });
  const ask = ({ sql, params }: LateStatement) =>
    reading.query({
      query: sql,
      query_params: params,
      format: 'JSONEachRow',
      clickhouse_settings: { ...readSettings, output_format_json_quote_64bit_integers: 1 },
      abort_signal: signal,
    });

  async function read<T>(
    statement: LateStatement,
    take: (result: Awaited<ReturnType<typeof ask>>) => Promise<T>,
  ): Promise<T> {
    // The client sends what was given up before it began.
    signal.throwIfAborted();
    const result = await ask(statement);
    // The client listens until the first rows come.
    const close = (): void => result.close();
    signal.addEventListener('abort', close);
    try {
      const taken = await take(result);
      signal.throwIfAborted();
      return taken;
    } finally {
      signal.removeEventListener('abort', close);
      result.close();
    }
  }

  return {
    rows: <Row>(statement: LateStatement) => read(statement, (result) => result.json<Row>()),
    exceptions: (statement, bytesMax) =>
      read(statement, async (result) => {
        const exceptions: StoredException[] = [];
        let bytes = 0;
        for await (const rows of result.stream<StoredException>())
          for (const row of rows) {
            exceptions.push(row.json());
            bytes += row.text.length;
            if (bytes >= bytesMax) return { exceptions, isCut: true };
          }
        return { exceptions, isCut: false };
      }),
    async store(rows, run) {
      await insertRows(reading, lateEvents, rows, { dedupeToken: run, abortSignal: signal });
    },
    async run({ sql, params }) {
      signal.throwIfAborted();
      await changing.command({
        query: sql,
        query_params: params,
        clickhouse_settings: backSettings,
        abort_signal: signal,
      });
    },
    close: async () => void (await Promise.all([reading.close(), changing.close()])),
  };
}
