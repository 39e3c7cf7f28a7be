import { describe, expect, test } from '@jest/globals';
import { createRunSlots } from './run-slots.ts';

function pending(): { work: () => Promise<string>; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { work: () => promise, end: () => resolve('done') };
}

describe('queries that run at a time (contract/decisions 17)', () => {
  test('a project with its share running is throttled, others are not', async () => {
    const slots = createRunSlots(10, 1);
    const first = pending();
    const running = slots.within(1, first.work);
    await expect(slots.within(1, first.work)).rejects.toMatchObject({ code: 'throttled' });
    await expect(slots.within(2, () => Promise.resolve('other'))).resolves.toBe('other');
    first.end();
    await running;
    await expect(slots.within(1, () => Promise.resolve('again'))).resolves.toBe('again');
  });

  test('a full engine is a 503 for everybody, and a failed query gives its slot back', async () => {
    const slots = createRunSlots(1, 5);
    const first = pending();
    const running = slots.within(1, first.work);
    await expect(slots.within(2, first.work)).rejects.toMatchObject({ code: 'query_capacity', status: 503 });
    first.end();
    await running;
    await expect(slots.within(1, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(slots.within(1, () => Promise.resolve('free'))).resolves.toBe('free');
  });
});
