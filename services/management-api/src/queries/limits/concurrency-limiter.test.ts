import { describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { heldSlot } from '../../test/held-slot.ts';
import { createConcurrencyLimiter } from './concurrency-limiter.ts';

describe('queries that run at a time (contract/decisions 17)', () => {
  test('a project with its share running is throttled, others are not', async () => {
    const slots = createConcurrencyLimiter({ max: 10, perOrganizationMax: 99, perProjectMax: 1, perKeyMax: 5 });
    const first = heldSlot();
    const running = slots.run({ projectId: 1 }, first.work);
    await expect(slots.run({ projectId: 1 }, first.work)).rejects.toMatchObject({ code: 'throttled' });
    await expect(slots.run({ projectId: 2 }, () => Promise.resolve('other'))).resolves.toBe('other');
    first.end();
    await running;
    await expect(slots.run({ projectId: 1 }, () => Promise.resolve('again'))).resolves.toBe('again');
  });

  test('a slot is held beyond its work by what the work says so of, whatever becomes of that', async () => {
    const slots = createConcurrencyLimiter({ max: 10, perOrganizationMax: 99, perProjectMax: 1, perKeyMax: 5 });
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const work = slots.run({ projectId: 1 }, (keep) => {
      keep(first.promise);
      keep(second.promise);
      return Promise.reject(new Error('given up'));
    });
    await expect(work).rejects.toThrow('given up');
    const next = (): Promise<string> => slots.run({ projectId: 1 }, () => Promise.resolve('free'));
    first.reject(new Error('of no interest'));
    await expect(next()).rejects.toMatchObject({ code: 'throttled' });
    second.resolve();
    await eventually(async () => expect(await next()).toBe('free'));
  });

  test('one key cannot take all slots of its project, nor is it held to what it runs elsewhere', async () => {
    const slots = createConcurrencyLimiter({ max: 10, perOrganizationMax: 99, perProjectMax: 3, perKeyMax: 1 });
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

  test('an organization with many projects has one share; those that nobody owns are counted by project alone', async () => {
    const slots = createConcurrencyLimiter({ max: 10, perOrganizationMax: 2, perProjectMax: 9, perKeyMax: 9 });
    const held = heldSlot();
    const running = [1, 2].map((projectId) =>
      slots.run({ projectId, organizationId: 'o', keyId: `${projectId}` }, held.work),
    );
    await expect(slots.run({ projectId: 3, organizationId: 'o', keyId: '3' }, held.work)).rejects.toMatchObject({
      code: 'throttled',
      message: expect.stringContaining('organization runs 2'),
    });
    for (const owner of [{ projectId: 4, organizationId: 'p' }, { projectId: 5 }])
      await expect(slots.run(owner, () => Promise.resolve('other'))).resolves.toBe('other');
    held.end();
    await Promise.all(running);
    await expect(slots.run({ projectId: 3, organizationId: 'o' }, () => Promise.resolve('again'))).resolves.toBe(
      'again',
    );
  });

  test('a refusal is told to one of those whose end would have made room, until there is room', async () => {
    const slots = createConcurrencyLimiter({ max: 10, perOrganizationMax: 2, perProjectMax: 9, perKeyMax: 9 });
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

  test('a full engine is a 503 for everybody, and a failed query gives its slot back', async () => {
    const slots = createConcurrencyLimiter({ max: 1, perOrganizationMax: 99, perProjectMax: 5, perKeyMax: 5 });
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
