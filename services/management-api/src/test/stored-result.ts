import { openQueryConnection } from '@millrace/clickhouse/query/query-connection.ts';
import { tenantHeaders } from '@millrace/clickhouse/users/tenant-token.ts';
import type { StoredQuery } from '@millrace/query-language/compile.ts';
import { storingSettings, type StoredTable } from '@millrace/query-language/stored/stored-table.ts';
import type { TestTenant } from './tenant.ts';

/** Stores results of projects' statements as user `materializer`. */
export interface ResultStore {
  /** Stores a result in a table of its own, with a view that tenants read. @throws what the engine refuses */
  store(teamId: number, query: StoredQuery): Promise<StoredTable>;
  /** Drops all of them. */
  close(): Promise<void>;
}

/** Opens a connection, to be closed. */
export function openResultStore({ clickhouse: { url, materializer, tokenSecret } }: TestTenant): ResultStore {
  const connection = openQueryConnection({ url, user: materializer.username, password: materializer.password });
  const names: string[] = [];
  const run = async (teamId: number, sql: string, params: StoredQuery['params'] = {}): Promise<void> => {
    await connection.query({
      sql,
      params,
      settings: { database: 'analytics', max_threads: 1, wait_end_of_query: 1, ...storingSettings },
      headers: tenantHeaders(tokenSecret, teamId),
      queryId: crypto.randomUUID(),
      signal: new AbortController().signal,
      deadlineMs: 25_000,
      responseBytesMax: 1_000_000,
    });
  };
  return {
    async store(teamId, { sql, params, columns }) {
      const name = `test_${crypto.randomUUID().replaceAll('-', '')}`;
      await run(teamId, `CREATE TABLE internal.${name} ENGINE = MergeTree ORDER BY tuple() AS ${sql}`, params);
      names.push(name);
      const definer = 'DEFINER = materializer SQL SECURITY DEFINER';
      await run(teamId, `CREATE VIEW materialized.${name} ${definer} AS SELECT * FROM internal.${name}`);
      return { view: name, columns };
    },
    async close() {
      for (const name of names) {
        await run(0, `DROP VIEW IF EXISTS materialized.${name}`);
        await run(0, `DROP TABLE IF EXISTS internal.${name}`);
      }
      await connection.close();
    },
  };
}
