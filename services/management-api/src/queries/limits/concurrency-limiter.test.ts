import { describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { heldSlot } from '../../test/held-slot.ts';
import { createConcurrencyLimiter, type ConcurrencyLimiter, type SharedSlot } from './concurrency-limiter.ts';
import type { ConcurrencyLimits, QueryOwner, Share } from './shares.ts';

const open = (limits: ConcurrencyLimits, waitMsMax = 0): ConcurrencyLimiter =>
  createConcurrencyLimiter(limits, { counted: 'queries', waitMsMax });

describe('queries that run at a time (contract/decisions 17)', () => {
  test('a project that runs its limit is throttled, others are not', async () => {
    const slots = open({ max: 10, perOrganizationMax: 99, perProjectMax: 1, perKeyMax: 5 });
    const first = heldSlot();
    const running = slots.run({ projectId: 1 }, first.work);
    await expect(slots.run({ projectId: 1 }, first.work)).rejects.toMatchObject({ code: 'throttled' });
    await expect(slots.run({ projectId: 2 }, () => Promise.resolve('other'))).resolves.toBe('other');
    first.end();
    await running;
    await expect(slots.run({ projectId: 1 }, () => Promise.resolve('again'))).resolves.toBe('again');
  });

  test('a slot is held until the work and all that it passed to hold have ended, also when these fail', async () => {
    const slots = open({ max: 10, perOrganizationMax: 99, perProjectMax: 1, perKeyMax: 5 });
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const work = slots.run({ projectId: 1 }, (hold) => {
      hold(first.promise);
      hold(second.promise);
      return Promise.reject(new Error('given up'));
    });
    await expect(work).rejects.toThrow('given up');
    const next = (): Promise<string> => slots.run({ projectId: 1 }, () => Promise.resolve('free'));
    first.reject(new Error('of no interest'));
    await expect(next()).rejects.toMatchObject({ code: 'throttled' });
    second.resolve();
    await eventually(async () => expect(await next()).toBe('free'));
  });

  test('one key cannot take all slots of its project; its queries in other projects do not count', async () => {
    const slots = open({ max: 10, perOrganizationMax: 99, perProjectMax: 3, perKeyMax: 1 });
    const first = heldSlot();
    const running = slots.run({ projectId: 1, keyId: 'a' }, first.work);
    await expect(slots.run({ projectId: 1, keyId: 'a' }, first.work)).rejects.toMatchObject({
      code: 'throttled',
      details: { retryAfterS: 1 },
      message: expect.stringContaining('key'),
    });
    for (const owner of [{ projectId: 1, keyId: 'b' }, { projectId: 1 }, { projectId: 2, keyId: 'a' }])
      await expect(slots.run(owner, () => Promise.resolve('other'))).resolves.toBe('other');
    first.end();
    await running;
    await expect(slots.run({ projectId: 1, keyId: 'a' }, () => Promise.resolve('again'))).resolves.toBe('again');
  });

  test('an organization with many projects has one limit; projects without an organization count alone', async () => {
    const slots = open({ max: 10, perOrganizationMax: 2, perProjectMax: 9, perKeyMax: 9 });
    const held = heldSlot();
    const running = [1, 2].map((projectId) =>
      slots.run({ projectId, organizationId: 'o', keyId: `${projectId}` }, held.work),
    );
    await expect(slots.run({ projectId: 3, organizationId: 'o', keyId: '3' }, held.work)).rejects.toMatchObject({
      code: 'throttled',
      message: expect.stringContaining('organization is already running 2'),
    });
    for (const owner of [{ projectId: 4, organizationId: 'p' }, { projectId: 5 }])
      await expect(slots.run(owner, () => Promise.resolve('other'))).resolves.toBe('other');
    held.end();
    await Promise.all(running);
    await expect(slots.run({ projectId: 3, organizationId: 'o' }, () => Promise.resolve('again'))).resolves.toBe(
      'again',
    );
  });

  test('a refusal is reported to one owner whose end would have made room, until there is room', async () => {
    const slots = open({ max: 10, perOrganizationMax: 2, perProjectMax: 9, perKeyMax: 9 });
    const held = heldSlot();
    const [own, same, other] = [
      { projectId: 1, organizationId: 'o' },
      { projectId: 2, organizationId: 'o' },
      { projectId: 3, organizationId: 'p' },
    ];
    const running = [own, same, other].map((owner) => slots.run(owner, held.work));
    expect(await slots.isWanted(own)).toBe(false);
    await expect(slots.run(same, held.work)).rejects.toThrow();
    expect([
      await slots.isWanted(other),
      await slots.isWanted(own),
      await slots.isWanted(own),
      await slots.isWanted(same),
    ]).toEqual([false, true, false, false]);
    await expect(slots.run(same, held.work)).rejects.toThrow();
    held.end();
    await Promise.all(running);
    expect(await slots.isWanted(own)).toBe(false);
  });

  test('a full engine is a 503 for all owners, and a failed query frees its slot', async () => {
    const slots = open({ max: 1, perOrganizationMax: 99, perProjectMax: 5, perKeyMax: 5 });
    const first = heldSlot();
    const running = slots.run({ projectId: 1 }, first.work);
    await expect(slots.run({ projectId: 2 }, first.work)).rejects.toMatchObject({
      code: 'query_capacity',
      status: 503,
    });
    first.end();
    await running;
    await expect(slots.run({ projectId: 1 }, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(slots.run({ projectId: 1 }, () => Promise.resolve('free'))).resolves.toBe('free');
  });
});

test('a refused stream is called a stream, because streams have limits of their own', async () => {
  const streams = createConcurrencyLimiter(wide({ perKeyMax: 1 }), { counted: 'streams', waitMsMax: 0 });
  const held = heldSlot();
  const running = streams.run({ projectId: 1, keyId: 'a' }, held.work);
  await expect(streams.run({ projectId: 1, keyId: 'a' }, held.work)).rejects.toThrow(
    'This key is already running 1 streams (csv, ndjson). Try again when one has ended.',
  );
  held.end();
  await running;
});

describe('a query that finds a limit full waits for its turn (contract/decisions 79)', () => {
  const long = 600_000;

  test('and runs when another query has ended', async () => {
    const slots = open(wide({ perProjectMax: 1 }), long);
    const first = heldSlot();
    const running = slots.run({ projectId: 1 }, first.work);
    const waiting = slots.run({ projectId: 1 }, () => Promise.resolve('mine'));
    await settled();
    expect(slots.waiting()).toBe(1);
    first.end();
    await running;
    expect([await waiting, slots.waiting()]).toEqual(['mine', 0]);
  });

  test('for a bounded time, and is then refused', async () => {
    const slots = open(wide({ perProjectMax: 1 }), 20);
    const first = heldSlot();
    const running = slots.run({ projectId: 1 }, first.work);
    await expect(slots.run({ projectId: 1 }, first.work)).rejects.toMatchObject({
      code: 'throttled',
      details: { retryAfterS: 1 },
    });
    expect(slots.waiting()).toBe(0);
    first.end();
    await running;
  });

  test('while others take their own free slots at once', async () => {
    const slots = open(wide({ perProjectMax: 1 }), long);
    const first = heldSlot();
    const running = [1, 1].map((projectId) => slots.run({ projectId }, first.work));
    await expect(slots.run({ projectId: 2 }, () => Promise.resolve('other'))).resolves.toBe('other');
    first.end();
    await Promise.all(running);
  });

  test('projects take turns, however many queries of one project wait', async () => {
    const slots = open(wide({ max: 1 }), long);
    const { ask, order } = noted(slots);
    const first = heldSlot();
    const running = slots.run({ projectId: 9 }, first.work);
    const asked = [1, 1, 2, 3].map((projectId) => ask({ projectId }));
    await settled();
    first.end();
    await Promise.all([running, ...asked]);
    expect(order).toEqual([1, 2, 3, 1]);
  });

  test('a project that sends its next query goes after one that waits', async () => {
    const slots = open(wide({ max: 1 }), long);
    const { ask, order } = noted(slots);
    const first = heldSlot();
    const running = slots.run({ projectId: 9 }, first.work);
    const again = ask({ projectId: 2 }).then(() => ask({ projectId: 2 }));
    const others = [1, 1, 1].map((projectId) => ask({ projectId }));
    await settled();
    first.end();
    await Promise.all([running, again, ...others]);
    expect(order).toEqual([2, 1, 2, 1, 1]);
  });

  test('the project that runs less goes first, and the organization before the project', async () => {
    const slots = open(wide({ max: 3 }), long);
    const { ask, order } = noted(slots);
    const [stays, goes] = [heldSlot(), heldSlot()];
    const running = [
      slots.run({ projectId: 1, organizationId: 'o' }, stays.work),
      slots.run({ projectId: 2, organizationId: 'p' }, stays.work),
      slots.run({ projectId: 3, organizationId: 'o' }, goes.work),
    ];
    const asked = [
      ask({ projectId: 1, organizationId: 'o' }),
      ask({ projectId: 3, organizationId: 'o' }),
      ask({ projectId: 4, organizationId: 'q' }),
    ];
    await settled();
    goes.end();
    await Promise.all(asked);
    expect(order).toEqual([4, 3, 1]);
    stays.end();
    await Promise.all(running);
  });

  test('and leaves the queue when its client disconnects', async () => {
    const slots = open(wide({ perProjectMax: 1 }), long);
    const first = heldSlot();
    const running = slots.run({ projectId: 1 }, first.work);
    const client = new AbortController();
    const waiting = slots.run({ projectId: 1 }, first.work, client);
    await settled();
    client.abort(new Error('gone'));
    await expect(waiting).rejects.toThrow('gone');
    expect(slots.waiting()).toBe(0);
    await expect(slots.run({ projectId: 1 }, first.work, client)).rejects.toThrow('gone');
    first.end();
    await running;
  });

  test('and is reported to one owner whose end would make room', async () => {
    const slots = open(wide({ perProjectMax: 1 }), long);
    const first = heldSlot();
    const running = [1, 1].map((projectId) => slots.run({ projectId }, first.work));
    await settled();
    expect([await slots.isWanted({ projectId: 1 }), await slots.isWanted({ projectId: 1 })]).toEqual([true, false]);
    first.end();
    await Promise.all(running);
  });

  test('in one of four places for each slot; the owner with the most waiters gives places to others', async () => {
    const slots = open(wide({ max: 1, perProjectMax: 1 }), long);
    const first = heldSlot();
    const outcomes: string[] = [];
    const ask = (projectId: number, name: string): Promise<void> =>
      slots
        .run({ projectId }, () => Promise.resolve('ran'))
        .catch(({ code }: { code: string }) => code)
        .then((outcome) => void outcomes.push(`${name} ${outcome}`));
    const running = slots.run({ projectId: 9 }, first.work);
    const asked = ['a', 'b', 'c', 'd', 'e'].map((name) => ask(1, name));
    await settled();
    expect(outcomes).toEqual(['e throttled']);
    asked.push(ask(2, 'f'));
    await settled();
    expect(outcomes).toEqual(['e throttled', 'd query_capacity']);
    first.end();
    await Promise.all([running, ...asked]);
    expect(outcomes.slice(2)).toEqual(['a ran', 'f ran', 'b ran', 'c ran']);
  });
});

describe('a limit that other processes have filled', () => {
  test('is tried again until they free a slot', async () => {
    const [free, asked]: [() => void, boolean[]] = [() => undefined, []];
    const takeShared = (shares: readonly Share[], isFirst: boolean): Promise<SharedSlot> => {
      asked.push(isFirst);
      const [project] = shares;
      return Promise.resolve(asked.length > 3 || project === undefined ? { free } : { full: project, running: 7 });
    };
    const slots = createConcurrencyLimiter(wide({}), {
      counted: 'queries',
      waitMsMax: 600_000,
      takeShared,
      retryMs: 1,
    });
    await expect(slots.run({ projectId: 1 }, () => Promise.resolve('mine'))).resolves.toBe('mine');
    expect(asked).toEqual([true, false, false, false]);
  });

  test('refuses the query in the end, and delays no others', async () => {
    const takeShared = (shares: readonly Share[]): Promise<SharedSlot> => {
      const [project] = shares;
      return Promise.resolve(project?.name === 'project:1' ? { full: project, running: 7 } : { free: () => undefined });
    };
    const slots = createConcurrencyLimiter(wide({ max: 1 }), {
      counted: 'queries',
      waitMsMax: 50,
      takeShared,
      retryMs: 10,
    });
    const refused = slots.run({ projectId: 1 }, () => Promise.resolve('mine'));
    const other = slots.run({ projectId: 2 }, () => Promise.resolve('other'));
    await expect(refused).rejects.toMatchObject({ code: 'throttled' });
    await expect(other).resolves.toBe('other');
  });
});

const wide = (limits: Partial<ConcurrencyLimits>): ConcurrencyLimits => ({
  max: 99,
  perOrganizationMax: 99,
  perProjectMax: 99,
  perKeyMax: 99,
  ...limits,
});

/** Takes slots, and notes in which order they were given. */
function noted(slots: ConcurrencyLimiter) {
  const order: number[] = [];
  const ask = (owner: QueryOwner): Promise<void> =>
    slots.run(owner, () => {
      order.push(owner.projectId);
      return Promise.resolve();
    });
  return { ask, order };
}

/** Resolves when everything has run that needs no timer. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
