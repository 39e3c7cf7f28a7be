import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openQueryConnection, type QueryConnection } from '@millrace/clickhouse/query/query-connection.ts';
import type { TenantSql } from '@millrace/query-language/tenant-sql.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { testClickhouse } from '@millrace/testkit/test-clickhouse.ts';
import { createQueryEndings, type QueryEndings } from './query-endings.ts';
import { createConcurrencyLimiter } from '../limits/concurrency-limiter.ts';
import { createTenantEngine, type TenantEngine } from './tenant-engine.ts';

const { url, admin, tenant } = testClickhouse();
const limits = {
  executionSecondsMax: 1,
  memoryBytesMax: 1e9,
  resultRowsMax: 10,
  resultBytesMax: 1e6,
  readRowsMax: 1e9,
  readBytesMax: 1e9,
  threadsMax: 1,
};
const limiter = createConcurrencyLimiter(
  { max: 9, perOrganizationMax: 9, perProjectMax: 1, perKeyMax: 9 },
  { counted: 'queries', waitMsMax: 0 },
);
let connection: QueryConnection;
let endings: QueryEndings;
let engine: TenantEngine;

beforeAll(() => {
  connection = openQueryConnection({ url, user: tenant.username, password: tenant.password });
  endings = createQueryEndings(connection, { warn: () => undefined });
  const streams = { limits: { rowsMax: 1, bytesMax: 1e6, secondsMax: 1, readerSecondsMax: 1 }, limiter: limiter };
  engine = createTenantEngine(connection, {
    headersOf: () => ({}),
    limits,
    limiter,
    streams,
    onFinish: () => undefined,
    endings,
    endingMsMax: 100,
  });
});
afterAll(async () => {
  endings.close();
  await connection.close();
});

// One call of a function, quadratic in its text, of some seconds: the compiler lets nothing like it through, and ClickHouse cannot end it.
const oneLongCall = "SELECT countMatches(repeat('a', 45000), 'a.*b|a')";

async function runs(queryId: string): Promise<boolean> {
  const headers = { authorization: `Basic ${btoa(`${admin.username}:${admin.password}`)}` };
  const reply = await fetch(url, {
    method: 'POST',
    headers,
    body: `SELECT count() FROM system.processes WHERE query_id = '${queryId}'`,
  });
  return (await reply.text()).trim() !== '0';
}

test.each(['run', 'stream'] as const)(
  'a slot is kept until ClickHouse does not run the query of its %s any more: neither time nor a closed connection ends it',
  async (kind) => {
    const giving = new AbortController();
    const query = {
      sql: oneLongCall as TenantSql,
      params: {},
      teamId: 1,
      organizationId: 'o',
      keyId: undefined,
      queryId: randomUUID(),
      signal: giving.signal,
    };
    const streamed = { ...query, form: { engineFormat: 'JSONCompact', settings: {} }, rowsMax: 10 } as const;
    const next = (): Promise<string> => limiter.run({ projectId: 1 }, () => Promise.resolve('free'));
    const requested = (kind === 'run' ? engine.run(query) : engine.stream(streamed, () => Promise.resolve())).catch(
      (error: unknown) => error,
    );
    await eventually(async () => expect(await runs(query.queryId)).toBe(true));
    giving.abort();
    expect(await requested).toMatchObject({ name: 'AbortError' });
    const seen: boolean[] = [];
    const runsBesideFree: boolean[] = [];
    await eventually(
      async () => {
        const isFree = await next().then(
          () => true,
          () => false,
        );
        seen.push(isFree);
        if (isFree) runsBesideFree.push(await runs(query.queryId));
        expect(isFree).toBe(true);
      },
      { deadlineMs: 60_000 },
    );
    expect([seen[0], runsBesideFree, endings.overdue().count]).toEqual([false, [false], 0]);
  },
  90_000,
);
