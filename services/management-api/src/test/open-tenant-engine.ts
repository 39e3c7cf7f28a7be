import { openQueryConnection } from '@millrace/clickhouse/query/query-connection.ts';
import type { TestClickhouse } from '@millrace/testkit/test-clickhouse.ts';
import { createQueryEndings } from '../queries/execute/query-endings.ts';
import { createTenantEngine, type TenantEngine, type TenantEngineOptions } from '../queries/execute/tenant-engine.ts';
import { createConcurrencyLimiter, type ConcurrencyLimiter } from '../queries/limits/concurrency-limiter.ts';
import type { Counted } from '../queries/limits/shares.ts';

/** The product's own way to ClickHouse, with limits that tests do not reach; to be closed. */
export function openTenantEngine(
  { url, tenant }: Pick<TestClickhouse, 'url' | 'tenant'>,
  headersOf: TenantEngineOptions['headersOf'],
  { queriesMax = 9, streamsMax = 9 } = {},
): { engine: TenantEngine; close: () => Promise<void> } {
  const connection = openQueryConnection({ url, user: tenant.username, password: tenant.password });
  const endings = createQueryEndings(connection, { warn: () => undefined });
  const limiterOf = (counted: Counted, max: number): ConcurrencyLimiter =>
    createConcurrencyLimiter(
      { max, perOrganizationMax: max, perProjectMax: max, perKeyMax: max },
      { counted, waitMsMax: max > 0 ? 10_000 : 0 },
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
    limiter: limiterOf('queries', queriesMax),
    streams: {
      limits: { rowsMax: 1e6, bytesMax: 1e9, secondsMax: 20, readerSecondsMax: 20 },
      limiter: limiterOf('streams', streamsMax),
    },
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
