import { createClickhouse } from '@millrace/clickhouse/client.ts';
import type { ParameterValue } from '@millrace/clickhouse/query/format-parameter.ts';
import { migrateClickhouse } from '@millrace/clickhouse/migrations/migrate.ts';
import { openQueryConnection } from '@millrace/clickhouse/query/query-connection.ts';
import { tenantHeaders } from '@millrace/clickhouse/users/tenant-token.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { prepareClickhouse, type TestClickhouse } from '@millrace/testkit/test-clickhouse.ts';

/** ClickHouse with our schema, queried as the user of tenants' queries. */
export interface TestTenant {
  /** The engine itself. */
  clickhouse: TestClickhouse;
  /** Rows of each of these tables of `analytics`. */
  insert(rows: Readonly<Record<string, readonly object[]>>): Promise<void>;
  /** Runs a query as a project, by its token. @throws what it refuses */
  send(
    teamId: number,
    query: { sql: string; params?: Readonly<Record<string, unknown>> },
    settings?: Readonly<Record<string, string | number>>,
  ): Promise<string>;
  /** Runs a query as a user of the product that no row policy holds: it reads the rows of all projects. @throws what it refuses */
  sendPastPolicies(query: { sql: string; params?: Readonly<Record<string, unknown>> }): Promise<string>;
  close(): Promise<void>;
}

/** Prepares the schema and opens a connection, to be closed. */
export async function openTenant(): Promise<TestTenant> {
  const clickhouse = await prepareClickhouse(async ({ url, admin }) => {
    await migrateClickhouse(
      { url, user: admin.username, password: admin.password },
      { log: createLogger('test', 'warn') },
    );
  });
  const { url, writer, tenant, tokenSecret } = clickhouse;
  const connection = openQueryConnection({ url, user: tenant.username, password: tenant.password });
  const pastPolicies = openQueryConnection({ url, user: writer.username, password: writer.password });
  const requestOf = (
    { sql, params = {} }: Parameters<TestTenant['sendPastPolicies']>[0],
    more: Readonly<Record<string, string | number>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) => ({
    sql,
    params: params as Readonly<Record<string, ParameterValue>>,
    settings: {
      database: 'analytics',
      max_execution_time: 20,
      max_threads: 1,
      wait_end_of_query: 1,
      output_format_json_quote_64bit_integers: 0,
      ...more,
    },
    headers,
    queryId: crypto.randomUUID(),
    signal: new AbortController().signal,
    deadlineMs: 25_000,
    responseBytesMax: 50_000_000,
  });
  return {
    clickhouse,
    async insert(rows) {
      const client = createClickhouse({ url, user: writer.username, password: writer.password });
      for (const [table, values] of Object.entries(rows))
        await client.insert({ table: `analytics.${table}`, format: 'JSONEachRow', values });
      await client.close();
    },
    async send(teamId, query, more) {
      return (await connection.query(requestOf(query, more, tenantHeaders(tokenSecret, teamId)))).toString();
    },
    async sendPastPolicies(query) {
      return (await pastPolicies.query(requestOf(query))).toString();
    },
    async close() {
      await Promise.all([connection.close(), pastPolicies.close()]);
    },
  };
}
