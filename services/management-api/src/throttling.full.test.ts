import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { ManagementApi } from './app.ts';
import { startTestApi, type Seed, type TestApi } from './test/test-api.ts';
import { startRedis } from './test/start-redis.ts';

let redis: Awaited<ReturnType<typeof startRedis>>;
let api: TestApi;
let processes: ManagementApi[];

beforeAll(async () => {
  redis = await startRedis();
  api = await startTestApi({
    API_THROTTLES: 'true',
    API_THROTTLE_PER_MINUTE: '6',
    REDIS_URL: redis.url,
    LOG_LEVEL: 'fatal',
  });
  processes = [api.api, await api.startProcess()];
});
afterAll(async () => {
  await api?.stop();
  redis?.stop();
});

/** Statuses of so many calls, by turns to one and the other. */
async function calls(seed: Seed, count: number): Promise<number[]> {
  const found: number[] = [];
  for (let time = 0; time < count; time++)
    found.push((await api.as(seed.key, processes[time % 2]).send('get', '/api/users/@me')).status);
  return found;
}

describe('two processes with one Redis (contract/orgs-errors 1.6)', () => {
  test('count the calls of a key together; without it each counts for itself', async () => {
    const together = [200, 200, 200, 200, 200, 200, 429, 429];
    // Until both are connected each counts for itself, so that a key may call more often.
    await eventually(async () => expect(await calls(await api.seed('Together'), 8)).toEqual(together));
    redis.stop();
    await eventually(async () =>
      expect(await calls(await api.seed('Apart'), 14)).toEqual([...Array<number>(12).fill(200), 429, 429]),
    );
  });
});
