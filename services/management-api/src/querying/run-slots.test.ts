import { describe, expect, test } from '@jest/globals';
import { heldSlot } from '../test/held-slot.ts';
import { createRunSlots } from './run-slots.ts';

describe('queries that run at a time (contract/decisions 17)', () => {
  test('a project with its share running is throttled, others are not', async () => {
    const slots = createRunSlots({ max: 10, perProjectMax: 1, perKeyMax: 5 });
    const first = heldSlot();
    const running = slots.within({ projectId: 1 }, first.work);
    await expect(slots.within({ projectId: 1 }, first.work)).rejects.toMatchObject({ code: 'throttled' });
    await expect(slots.within({ projectId: 2 }, () => Promise.resolve('other'))).resolves.toBe('other');
    first.end();
    await running;
    await expect(slots.within({ projectId: 1 }, () => Promise.resolve('again'))).resolves.toBe('again');
  });

  test('one key cannot take all slots of its project, nor is it held to what it runs elsewhere', async () => {
    const slots = createRunSlots({ max: 10, perProjectMax: 3, perKeyMax: 1 });
    const first = heldSlot();
    const running = slots.within({ projectId: 1, keyId: 'a' }, first.work);
    await expect(slots.within({ projectId: 1, keyId: 'a' }, first.work)).rejects.toMatchObject({ code: 'throttled', details: { retryAfterS: 1 }, message: expect.stringContaining('key') });
    for (const asker of [{ projectId: 1, keyId: 'b' }, { projectId: 1 }, { projectId: 2, keyId: 'a' }]) await expect(slots.within(asker, () => Promise.resolve('other'))).resolves.toBe('other');
    first.end();
    await running;
    await expect(slots.within({ projectId: 1, keyId: 'a' }, () => Promise.resolve('again'))).resolves.toBe('again');
  });

  test('a full engine is a 503 for everybody, and a failed query gives its slot back', async () => {
    const slots = createRunSlots({ max: 1, perProjectMax: 5, perKeyMax: 5 });
    const first = heldSlot();
    const running = slots.within({ projectId: 1 }, first.work);
    await expect(slots.within({ projectId: 2 }, first.work)).rejects.toMatchObject({ code: 'query_capacity', status: 503 });
    first.end();
    await running;
    await expect(slots.within({ projectId: 1 }, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(slots.within({ projectId: 1 }, () => Promise.resolve('free'))).resolves.toBe('free');
  });
});
