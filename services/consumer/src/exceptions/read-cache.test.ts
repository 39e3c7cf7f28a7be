import { expect, test } from '@jest/globals';
import { heapBytesOf } from './heap-bytes.ts';
import { createReadCache } from './read-cache.ts';

const clock = { nowMs: () => 0 };

/** Reads these keys; answers those that were not known. */
async function unknownOf(cache: ReturnType<typeof createReadCache<string, string>>, keys: readonly string[]) {
  let unknown: readonly string[] = [];
  await cache.read(keys, (asked) => {
    unknown = asked;
    return Promise.resolve(new Map(asked.map((key) => [key, 'x'.repeat(10_000)])));
  });
  return unknown;
}

test.each([
  ['values', (at: number) => `${at}`, 9],
  ['keys', (at: number) => `${at}`.padEnd(10_000, '-'), 4],
])('what is kept is bounded by the memory of its %s, and those used last stay', async (_of, keyOf, count) => {
  const cache = createReadCache<string, string>(clock, { bytesMax: 100_000, bytesOf: heapBytesOf });
  const keys = Array.from({ length: 20 }, (_, at) => keyOf(at));
  for (const key of keys) await unknownOf(cache, [key]);
  expect(await unknownOf(cache, keys.slice(-count))).toEqual([]);
  expect(await unknownOf(cache, keys.slice(0, -count))).toHaveLength(20 - count);
});

test('a value that takes more than all may is read each time', async () => {
  const cache = createReadCache<string, string>(clock, { bytesMax: 1_000, bytesOf: heapBytesOf });
  expect([await unknownOf(cache, ['a']), await unknownOf(cache, ['a'])]).toEqual([['a'], ['a']]);
});

test('memory of a value counts all that it holds, however deep', () => {
  let deep: unknown = 'x'.repeat(1_000);
  for (let depth = 0; depth < 100_000; depth++) deep = depth % 2 === 0 ? [deep] : { a: deep };
  expect(heapBytesOf(deep)).toBeGreaterThan(100_000 * 32 + 1_000);
  expect(heapBytesOf({ text: 'x'.repeat(1_000) }) - heapBytesOf({ text: '' })).toBe(1_000);
});
