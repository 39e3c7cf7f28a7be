import { expect, test } from '@jest/globals';
import { withInflateSlot } from './inflate-slots.ts';

/** Work that is under way until it is told to end. */
function held(): { work: () => Promise<string>; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { work: () => promise, end: () => resolve('done') };
}

test('who finds no slot waits for a second, hears 503, and takes no slot afterwards', async () => {
  const [one, two] = [held(), held()];
  const first = withInflateSlot(one.work);
  const second = withInflateSlot(two.work);
  let ran = 0;
  const count = (): Promise<number> => Promise.resolve(++ran);
  const started = performance.now();
  const crowd = await Promise.allSettled(Array.from({ length: 50 }, () => withInflateSlot(count)));
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(crowd.every((one) => one.status === 'rejected' && (one.reason as { refusal: string }).refusal === 'overloaded')).toBe(true);
  const patient = [withInflateSlot(count), withInflateSlot(count), withInflateSlot(count)];
  one.end();
  expect(await Promise.all([first, ...patient])).toEqual(['done', 1, 2, 3]);
  two.end();
  expect(await second).toBe('done');
  expect(await Promise.all([withInflateSlot(count), withInflateSlot(count), withInflateSlot(count)])).toEqual([4, 5, 6]);
});

test('work that fails gives its slot back', async () => {
  const failing = Array.from({ length: 5 }, () => withInflateSlot(() => Promise.reject(new Error('broken'))));
  for (const one of await Promise.allSettled(failing)) expect(one.status).toBe('rejected');
  expect(await withInflateSlot(() => Promise.resolve('fine'))).toBe('fine');
});
