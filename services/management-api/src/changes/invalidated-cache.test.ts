import { expect, test } from '@jest/globals';
import { createInvalidatedCache } from './invalidated-cache.ts';

// The promise to the process: what tenants store, however large, takes a bounded part of its memory.
test('values are cached up to so many characters together, and one that alone has more is loaded each time', async () => {
  const things = createInvalidatedCache<{ text: string }>({
    isCaughtUp: () => true,
    max: 10,
    charsMax: 1_000,
    ageMsMax: 60_000,
  });
  let looked = 0;
  const looks = async (name: string, chars: number): Promise<number> => {
    looked = 0;
    for (let time = 0; time < 2; time++)
      await things.find(name, () => (looked++, Promise.resolve({ text: 'x'.repeat(chars) })));
    return looked;
  };
  expect([await looks('a', 400), await looks('b', 400), await looks('a', 400)]).toEqual([1, 1, 0]);
  expect(await looks('large', 2_000)).toBe(2);
  expect(await looks('a', 400)).toBe(0);
  expect([await looks('c', 400), await looks('b', 400)]).toEqual([1, 1]);
});
