import { openQueryConnection } from '@millrace/clickhouse/query/query-connection.ts';
import type { TestClickhouse } from '@millrace/testkit/test-clickhouse.ts';
import { createQueryEndings } from '../queries/execute/query-endings.ts';
import { createTenantEngine, type TenantEngine, type TenantEngineOptions } from '../queries/execute/tenant-engine.ts';
import { createConcurrencyLimiter } from '../queries/limits/concurrency-limiter.ts';

/** The product's own way to ClickHouse, with limits that tests do not reach; to be closed. */
export function openTenantEngine(
  { url, tenant }: Pick<TestClickhouse, 'url' | 'tenant'>,
  headersOf: TenantEngineOptions['headersOf'],
): { engine: TenantEngine; close: () => Promise<void> } {
  const connection = openQueryConnection({ url, user: tenant.username, password: tenant.password });
  const endings = createQueryEndings(connection, { warn: () => undefined });
  const limiter = createConcurrencyLimiter(
    { max: 9, perOrganizationMax: 9, perProjectMax: 9, perKeyMax: 9 },
    { counted: 'queries', waitMsMax: 10_000 },
  );
  const engine = createTenantEngine(connection, {
    headersOf,
    limits: {
      executionSecondsMax: 20,
      memoryBytesMax: 1e9,
      resultRowsMax: 50_000,
      resultBytesMax: 1e8,
      readRowsMax: 1e9,
      readBytesMax: 1e10,
      threadsMax: 2,
    },
    limiter,
    streams: { limits: { rowsMax: 1e6, bytesMax: 1e9, secondsMax: 20, readerSecondsMax: 20 }, limiter },
    onFinish: () => undefined,
    endings,
  });
  return {
    engine,
    async close() {
      endings.close();
      await connection.close();
    },
  };
}
