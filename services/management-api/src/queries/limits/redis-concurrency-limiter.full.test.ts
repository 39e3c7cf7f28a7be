import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { openOptionalRedis } from '@millrace/runtime/optional-redis.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { heldSlot } from '../../test/held-slot.ts';
import { startRedis } from '../../test/start-redis.ts';
import { openSharedConcurrencyLimiters, type SharedConcurrencyLimiters } from './redis-concurrency-limiter.ts';
import type { ConcurrencyLimiter } from './concurrency-limiter.ts';
import type { ConcurrencyLimits, QueryOwner } from './shares.ts';

let redis: Awaited<ReturnType<typeof startRedis>>;
const opened: SharedConcurrencyLimiters[] = [];

beforeAll(async () => {
  redis = await startRedis();
});
afterEach(() => opened.splice(0).forEach((slots) => slots.close()));
afterAll(() => redis.stop());

/** Starts a process that counts in Redis, and waits for its connection. `uncounted` grows with each query that it counted alone. */
async function startProcess(
  name: string,
  limits: ConcurrencyLimits,
  { url = redis.url, leaseMs = 30_000, waitMsMax = 0 } = {},
): Promise<{ slots: ConcurrencyLimiter; uncounted: () => number; die: () => void }> {
  const shared = openSharedConcurrencyLimiters(url, { warn: () => undefined });
  opened.push(shared);
  let uncounted = 0;
  const slots = shared.open({
    name,
    limits,
    counted: 'queries',
    waitMsMax,
    retryMs: 1,
    leaseMs,
    onUncounted: () => uncounted++,
  });
  if (url === redis.url) {
    await eventually(async () => {
      const before = uncounted;
      await slots.run({ projectId: 0 }, () => Promise.resolve());
      expect(uncounted).toBe(before);
    });
    uncounted = 0;
  }
  return { slots, uncounted: () => uncounted, die: () => shared.close() };
}

const done = (slots: ConcurrencyLimiter, owner: QueryOwner): Promise<string> =>
  slots.run(owner, () => Promise.resolve('done'));

describe('slots that processes count together', () => {
  test.each<[string, ConcurrencyLimits, QueryOwner, QueryOwner, string]>([
    [
      'a project',
      { max: 9, perOrganizationMax: 99, perProjectMax: 1, perKeyMax: 9 },
      { projectId: 1 },
      { projectId: 2 },
      'throttled',
    ],
    [
      'a key',
      { max: 9, perOrganizationMax: 99, perProjectMax: 9, perKeyMax: 1 },
      { projectId: 1, keyId: 'a' },
      { projectId: 1, keyId: 'b' },
      'throttled',
    ],
  ])('what %s runs in one counts in the other, until it has ended', async (name, limits, owner, other, code) => {
    const [first, second] = [await startProcess(name, limits), await startProcess(name, limits)];
    const held = heldSlot();
    const running = first.slots.run(owner, held.work);
    await held.begun;
    await expect(done(second.slots, owner)).rejects.toMatchObject({
      code,
      message: expect.stringContaining('is already running 1 queries'),
    });
    expect(await done(second.slots, other)).toBe('done');
    held.end();
    await running;
    await eventually(async () => expect(await done(second.slots, owner)).toBe('done'));
    expect([first.uncounted(), second.uncounted()]).toEqual([0, 0]);
  });

  test('a slot is held in Redis, beyond its first lease, until all that the work passed to hold has ended', async () => {
    const limits = { max: 9, perOrganizationMax: 99, perProjectMax: 1, perKeyMax: 9 };
    const leaseMs = 300;
    const [first, second] = [
      await startProcess('kept', limits, { leaseMs }),
      await startProcess('kept', limits, { leaseMs }),
    ];
    const { promise: gone, resolve: go } = Promise.withResolvers<void>();
    await first.slots.run({ projectId: 1 }, (hold) => Promise.resolve(hold(gone)));
    for (const process of [first, second])
      await expect(done(process.slots, { projectId: 1 })).rejects.toMatchObject({ code: 'throttled' });
    const untilMs = performance.now() + 2 * leaseMs;
    const outcomes = new Set<unknown>();
    await eventually(async () => {
      outcomes.add(await done(second.slots, { projectId: 1 }).catch((error: { code?: string }) => error.code));
      expect(performance.now()).toBeGreaterThan(untilMs);
    });
    expect(outcomes).toEqual(new Set(['throttled']));
    go();
    await eventually(async () => expect(await done(second.slots, { projectId: 1 })).toBe('done'));
  });

  test('a refusal in one process is reported to a slot of another, once', async () => {
    const limits = { max: 9, perOrganizationMax: 1, perProjectMax: 9, perKeyMax: 9 };
    const [first, second] = [await startProcess('wanted', limits), await startProcess('wanted', limits)];
    const held = heldSlot();
    const owner = { projectId: 1, organizationId: 'o' };
    const running = first.slots.run(owner, held.work);
    await held.begun;
    expect(await first.slots.isWanted(owner)).toBe(false);
    await expect(done(second.slots, { projectId: 2, organizationId: 'o' })).rejects.toMatchObject({
      code: 'throttled',
    });
    expect([
      await first.slots.isWanted({ projectId: 1, organizationId: 'p' }),
      await first.slots.isWanted(owner),
      await first.slots.isWanted(owner),
    ]).toEqual([false, true, false]);
    held.end();
    await running;
  });

  test('the engine is full for all of them', async () => {
    const limits = { max: 2, perOrganizationMax: 99, perProjectMax: 9, perKeyMax: 9 };
    const [first, second] = [await startProcess('full', limits), await startProcess('full', limits)];
    const held = [heldSlot(), heldSlot()] as const;
    const running = [first.slots.run({ projectId: 1 }, held[0].work), second.slots.run({ projectId: 2 }, held[1].work)];
    await Promise.all(held.map(({ begun }) => begun));
    await expect(done(first.slots, { projectId: 3 })).rejects.toMatchObject({ code: 'query_capacity', status: 503 });
    held.forEach(({ end }) => end());
    await Promise.all(running);
    await eventually(async () => expect(await done(first.slots, { projectId: 3 })).toBe('done'));
  });

  test('a query that waits in one process runs when one of another has ended, and is reported there once', async () => {
    const limits = { max: 9, perOrganizationMax: 99, perProjectMax: 1, perKeyMax: 9 };
    const [first, second] = [
      await startProcess('waits', limits),
      await startProcess('waits', limits, { waitMsMax: 600_000 }),
    ];
    const held = heldSlot();
    const running = first.slots.run({ projectId: 1 }, held.work);
    await held.begun;
    const waiting = done(second.slots, { projectId: 1 });
    await eventually(async () => expect(await first.slots.isWanted({ projectId: 1 })).toBe(true));
    // The waiting query tries again and again meanwhile.
    const others = Array.from({ length: 3 }, () => done(second.slots, { projectId: 2 }));
    await eventually(() => expect(second.slots.waiting()).toBe(1));
    await Promise.all(others);
    expect(await first.slots.isWanted({ projectId: 1 })).toBe(false);
    held.end();
    await running;
    expect([await waiting, second.slots.waiting(), second.uncounted()]).toEqual(['done', 0, 0]);
  });

  test('never more than the limit at a time, however many queries arrive at once', async () => {
    const limits = { max: 9, perOrganizationMax: 99, perProjectMax: 3, perKeyMax: 9 };
    const processes = [await startProcess('race', limits), await startProcess('race', limits)];
    const held = heldSlot();
    let inside = 0;
    const work = (): Promise<string> => {
      inside += 1;
      return held.work();
    };
    const asked = Promise.allSettled(
      Array.from({ length: 10 }, () => processes.map(({ slots }) => slots.run({ projectId: 1 }, work))).flat(),
    );
    await eventually(() => expect(inside).toBe(3));
    held.end();
    const outcomes = await asked;
    expect([
      inside,
      outcomes.filter(({ status }) => status === 'fulfilled').length,
      ...processes.map(({ uncounted }) => uncounted()),
    ]).toEqual([3, 3, 0, 0]);
  });

  test('slots of a killed process are free when their lease ends; those of a live process are renewed', async () => {
    const limits = { max: 9, perOrganizationMax: 99, perProjectMax: 1, perKeyMax: 9 };
    const [killed, living, asking] = [
      await startProcess('lease', limits, { leaseMs: 3_000 }),
      await startProcess('lease', limits, { leaseMs: 3_000 }),
      await startProcess('lease', limits, { leaseMs: 3_000 }),
    ];
    const held = [heldSlot(), heldSlot()] as const;
    const running = [
      killed.slots.run({ projectId: 1 }, held[0].work),
      living.slots.run({ projectId: 2 }, held[1].work),
    ];
    await Promise.all(held.map(({ begun }) => begun));
    await expect(done(asking.slots, { projectId: 1 })).rejects.toMatchObject({ code: 'throttled' });
    killed.die();
    await eventually(async () => expect(await done(asking.slots, { projectId: 1 })).toBe('done'), {
      deadlineMs: 15_000,
    });
    await expect(done(asking.slots, { projectId: 2 })).rejects.toMatchObject({ code: 'throttled' });
    held.forEach(({ end }) => end());
    await Promise.all(running);
  });

  test('slots that ended while Redis did not reply are freed when it replies again, long before their lease ends', async () => {
    const limits = { max: 9, perOrganizationMax: 99, perProjectMax: 1, perKeyMax: 9 };
    const [first, second] = [await startProcess('stall', limits), await startProcess('stall', limits)];
    const held = [heldSlot(), heldSlot()] as const;
    const running = held.map(({ work }, index) => first.slots.run({ projectId: index + 1 }, work));
    await Promise.all(held.map(({ begun }) => begun));
    const operator = openOptionalRedis(redis.url, {
      connectionName: 'operator',
      logger: { warn: () => undefined },
      withoutIt: 'the test fails',
    });
    await eventually(async () =>
      expect(await operator.run((asked) => asked.call('CLIENT', 'PAUSE', '400', 'ALL'))).toBe('OK'),
    );
    held[0].end();
    // No reply in time: from now on the first process does not use Redis for a while.
    await done(first.slots, { projectId: 3 });
    expect(first.uncounted()).toBe(1);
    held[1].end();
    await Promise.all(running);
    operator.close();
    await eventually(
      async () => {
        const before = second.uncounted();
        await done(first.slots, { projectId: 4 });
        for (const projectId of [1, 2]) expect(await done(second.slots, { projectId })).toBe('done');
        expect(second.uncounted()).toBe(before);
      },
      { deadlineMs: 10_000 },
    );
  });

  test('without Redis each process counts by itself, and reports it', async () => {
    const limits = { max: 9, perOrganizationMax: 99, perProjectMax: 1, perKeyMax: 9 };
    const [first, second] = [
      await startProcess('alone', limits, { url: 'redis://127.0.0.1:1' }),
      await startProcess('alone', limits, { url: 'redis://127.0.0.1:1' }),
    ];
    const held = heldSlot();
    const running = first.slots.run({ projectId: 1 }, held.work);
    await expect(done(first.slots, { projectId: 1 })).rejects.toMatchObject({ code: 'throttled' });
    expect(await done(second.slots, { projectId: 1 })).toBe('done');
    held.end();
    await running;
    expect([first.uncounted(), second.uncounted()]).toEqual([1, 1]);
  });
});
