import { createClickhouse } from '@millrace/clickhouse/client.ts';
import type { SquashStatement } from './squash-sql.ts';

/** The job's access to ClickHouse. Throws on any error of the engine. */
export interface SquashClickhouse {
  run(statement: SquashStatement): Promise<void>;
  /** 64-bit numbers come as text. */
  rows<Row>(statement: SquashStatement): Promise<Row[]>;
  close(): Promise<void>;
}

/** Counting reads all events of the projects concerned. */
const requestTimeoutMs = 600_000;

/** @param login user `maintainer`, or one that may more. It connects with the first statement. */
export function connectSquashClickhouse(login: { url: string; user: string; password: string }): SquashClickhouse {
  const client = createClickhouse({
    ...login,
    applicationName: 'millrace-squash-overrides',
    requestTimeoutMs,
    connectionsMax: 1,
  });
  return {
    async run({ sql, params, settings = {} }) {
      await client.command({ query: sql, query_params: params, clickhouse_settings: settings });
    },
    async rows<Row>({ sql, params }: SquashStatement) {
      const result = await client.query({
        query: sql,
        query_params: params,
        format: 'JSONEachRow',
        clickhouse_settings: { output_format_json_quote_64bit_integers: 1 },
      });
      return result.json<Row>();
    },
    close: () => client.close(),
  };
}
