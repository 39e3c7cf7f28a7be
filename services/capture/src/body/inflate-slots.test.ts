import { expect, test } from '@jest/globals';
import { aside } from './aside.ts';

/** Work that is under way until it is told to end. */
function held(): { work: () => Promise<string>; end: () => void } {
  const { promise, resolve } = Promise.withResolvers<string>();
  return { work: () => promise, end: () => resolve('done') };
}

test('who finds no place waits for a second, hears 503, and takes no place afterwards', async () => {
  const [one, two] = [held(), held()];
  const first = aside(one.work);
  const second = aside(two.work);
  let ran = 0;
  const count = (): Promise<number> => Promise.resolve(++ran);
  const started = performance.now();
  const crowd = await Promise.allSettled(Array.from({ length: 50 }, () => aside(count)));
  expect(performance.now() - started).toBeLessThan(5_000);
  expect(crowd.every((one) => one.status === 'rejected' && (one.reason as { refusal: string }).refusal === 'overloaded')).toBe(true);
  const patient = [aside(count), aside(count), aside(count)];
  one.end();
  expect(await Promise.all([first, ...patient])).toEqual(['done', 1, 2, 3]);
  two.end();
  expect(await second).toBe('done');
  expect(await Promise.all([aside(count), aside(count), aside(count)])).toEqual([4, 5, 6]);
});

test('work that fails gives its place back', async () => {
  const failing = Array.from({ length: 5 }, () => aside(() => Promise.reject(new Error('broken'))));
  for (const one of await Promise.allSettled(failing)) expect(one.status).toBe('rejected');
  expect(await aside(() => Promise.resolve('fine'))).toBe('fine');
});
