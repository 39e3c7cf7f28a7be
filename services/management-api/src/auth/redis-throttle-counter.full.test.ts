import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startRedis } from '../test/start-redis.ts';
import { createMemoryThrottleCounter } from './memory-throttle-counter.ts';
import { createRedisThrottleCounter, type SharedThrottleCounter } from './redis-throttle-counter.ts';
import type { Rate, ThrottleCounter } from './throttles.ts';

let redis: Awaited<ReturnType<typeof startRedis>>;
const opened: SharedThrottleCounter[] = [];

beforeAll(async () => {
  redis = await startRedis();
});
afterEach(() => opened.splice(0).forEach((counter) => counter.close()));
afterAll(() => {
  redis.stop();
});

const refusing: ThrottleCounter = { take: () => Promise.reject(new Error('Redis was not asked')) };

/** A process' counter, once it is connected. */
async function sharedCounter(): Promise<SharedThrottleCounter> {
  const counter = createRedisThrottleCounter(redis.url, refusing, { warn: () => undefined });
  opened.push(counter);
  await eventually(() => counter.take(`ready ${Math.random()}`, [{ limit: 1, windowMs: 1000 }]));
  return counter;
}

const rates: Rate[] = [
  { limit: 2, windowMs: 60_000 },
  { limit: 3, windowMs: 300 },
];

describe.each<[string, () => Promise<[ThrottleCounter, ThrottleCounter]>]>([
  ['in Redis, by two processes', async () => [await sharedCounter(), await sharedCounter()]],
  [
    'in memory',
    () => {
      const counter = createMemoryThrottleCounter();
      return Promise.resolve([counter, counter]);
    },
  ],
])('calls counted %s', (_name, make) => {
  test('have room up to the lowest rate, and get the time to wait', async () => {
    const [first, second] = await make();
    expect([await first.take('a', rates), await second.take('a', rates)]).toEqual([0, 0]);
    for (const counter of [first, second]) {
      const waitMs = await counter.take('a', rates);
      expect(waitMs).toBeGreaterThan(55_000);
      expect(waitMs).toBeLessThanOrEqual(60_000);
    }
    expect(await second.take('b', rates)).toBe(0);
  });

  test('have room again when the window is over; what was refused did not count', async () => {
    const [first, second] = await make();
    const short = rates.slice(1);
    for (let call = 0; call < 3; call++) expect(await first.take('c', short)).toBe(0);
    expect(await second.take('c', short)).toBeGreaterThan(0);
    await eventually(async () => expect(await second.take('c', short)).toBe(0), { deadlineMs: 2_000 });
    expect([await first.take('c', short), await first.take('c', short)]).toEqual([0, 0]);
    expect(await first.take('c', short)).toBeGreaterThan(0);
  });

  test('are counted exactly, however many come at once', async () => {
    const counters = await make();
    const waits = await Promise.all(
      Array.from(
        { length: 50 },
        async (_, at) => await counters[at % 2 === 0 ? 0 : 1].take('d', [{ limit: 20, windowMs: 60_000 }]),
      ),
    );
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(20);
  });
});
