import { createClickhouse } from '@millrace/clickhouse/client.ts';
import type { FoldStatement } from './fold-sql.ts';

/** How the job reaches ClickHouse. Throws on any failure of the engine. */
export interface FoldClickhouse {
  run(statement: FoldStatement): Promise<void>;
  /** 64-bit numbers come as text. */
  rows<Row>(statement: FoldStatement): Promise<Row[]>;
  close(): Promise<void>;
}

/** Counting looks at all events of the projects concerned. */
const requestTimeoutMs = 600_000;

/** @param login user `maintainer`, or one that may more. It connects with the first statement. */
export function connectFoldClickhouse(login: { url: string; user: string; password: string }): FoldClickhouse {
  const client = createClickhouse({
    ...login,
    applicationName: 'millrace-fold-overrides',
    requestTimeoutMs,
    connectionsMax: 1,
  });
  return {
    async run({ sql, params, settings = {} }) {
      await client.command({ query: sql, query_params: params, clickhouse_settings: settings });
    },
    async rows<Row>({ sql, params }: FoldStatement) {
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
