import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type TestApi } from '../../test/test-api.ts';
import { startRedis } from '../../test/start-redis.ts';
import { createRedisResultCache } from './redis-result-cache.ts';
import { createMemoryResultCache, type StoredResult } from './result-cache.ts';

let redis: Awaited<ReturnType<typeof startRedis>>;
let api: TestApi;
beforeAll(async () => {
  redis = await startRedis();
  api = await startTestApi({ REDIS_URL: redis.url });
});
afterAll(async () => {
  await api?.stop();
  redis?.stop();
});

test('two processes share results in Redis, whatever bytes are in them', async () => {
  const second = await api.startProcess();
  const acme = await api.seed('Acme');
  const base = `/api/projects/${acme.projectId}/endpoints`;
  await api
    .as(acme.key)
    .send('post', base)
    .send({
      name: 'shared',
      query: { kind: 'HogQLQuery', query: "SELECT number, 'line\n\"ü\\0' FROM numbers(3) ORDER BY number" },
    });
  type Run = {
    results: unknown[][];
    is_cached: boolean;
    hasMore: boolean;
    last_refresh: string;
    columns: string[];
    types: string[][];
  };
  const run = async (process: typeof second) =>
    (await api.as(acme.key, process).send<Run>('post', `${base}/shared/run`).send({ limit: 2 })).body;
  await eventually(async () => {
    const first = await run(api.api);
    const other = await run(second);
    expect(other).toMatchObject({
      is_cached: true,
      results: first.results,
      hasMore: true,
      columns: first.columns,
      types: first.types,
    });
    expect(first.results).toHaveLength(2);
  });
});

test('results are cached in the process when Redis is away or they are too large for it; others until their time is over', async () => {
  const result = (bytes: number): StoredResult => ({
    hasMore: false,
    warnings: [],
    atMs: 1,
    result: { columns: [{ name: 'a', type: 'String' }], rows: Buffer.alloc(bytes, 49), rowCount: 1 },
  });
  const own = createMemoryResultCache(100_000_000);
  const nowhere = createRedisResultCache('redis://127.0.0.1:1', own, { warn: () => undefined });
  nowhere.set('k', result(10), { ttlMs: 60_000, organizationId: 'o' });
  await eventually(async () => expect(await nowhere.get('k')).toEqual(result(10)));
  nowhere.close();

  const large = result(5_000_000);
  const shared = createRedisResultCache(redis.url, own, { warn: () => undefined });
  shared.set('large', large, { ttlMs: 60_000, organizationId: 'o' });
  await eventually(async () => expect((await shared.get('large'))?.result.rows.length).toBe(5_000_000));
  expect(own.get('large')).toBeDefined();
  await eventually(() => {
    shared.set('small', result(10), { ttlMs: 60_000, organizationId: 'o' });
    const leftMs = Number(
      execFileSync('redis-cli', ['-u', redis.url, 'pttl', 'millrace:result:small'], { encoding: 'utf8' }),
    );
    expect([leftMs > 0, leftMs <= 60_000]).toEqual([true, true]);
  });
  shared.close();
});
