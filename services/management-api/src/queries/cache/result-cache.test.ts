import { describe, expect, test } from '@jest/globals';
import { createMemoryResultCache, type ResultCache, type StoredResult } from './result-cache.ts';

const result = (bytes: number): StoredResult => ({
  result: { columns: [], rows: new Uint8Array(bytes - 500), rowCount: 1 },
  hasMore: false,
  warnings: [],
  atMs: 0,
});

/** Keeps results of a tenth of the cache each, under names that begin with their organization. */
function keep(cache: ResultCache, organizationId: string, from: number, to: number): void {
  for (let n = from; n < to; n++) cache.set(`${organizationId}${n}`, result(10_000), { ttlMs: 60_000, organizationId });
}
const found = async (cache: ResultCache, organizationId: string): Promise<number[]> => {
  const kept: number[] = [];
  for (let n = 0; n < 30; n++) if ((await cache.get(`${organizationId}${n}`)) !== undefined) kept.push(n);
  return kept;
};

describe('results that are kept in this process', () => {
  test('one is at most a quarter of the cache', async () => {
    const cache = createMemoryResultCache(100_000);
    for (const size of [25_000, 25_001]) cache.set(String(size), result(size), { ttlMs: 60_000, organizationId: 'o' });
    expect([await cache.get('25000'), await cache.get('25001')]).toEqual([expect.anything(), undefined]);
  });

  test('an organization that is alone has the whole cache; its oldest go first', async () => {
    const cache = createMemoryResultCache(100_000);
    keep(cache, 'a', 0, 12);
    expect(await found(cache, 'a')).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('one that computes without end leaves half of it to others', async () => {
    const cache = createMemoryResultCache(100_000);
    keep(cache, 'b', 0, 3);
    keep(cache, 'c', 0, 2);
    keep(cache, 'a', 0, 30);
    expect([await found(cache, 'b'), await found(cache, 'c'), await found(cache, 'a')]).toEqual([
      [0, 1, 2],
      [0, 1],
      [25, 26, 27, 28, 29],
    ]);
  });

  test('one that has it all makes room for others that come', async () => {
    const cache = createMemoryResultCache(100_000);
    keep(cache, 'a', 0, 10);
    keep(cache, 'b', 0, 4);
    expect([await found(cache, 'a'), await found(cache, 'b')]).toEqual([
      [4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3],
    ]);
    keep(cache, 'a', 10, 12);
    expect([await found(cache, 'a'), await found(cache, 'b')]).toEqual([
      [6, 7, 8, 9, 10, 11],
      [0, 1, 2, 3],
    ]);
  });

  test('a result that is computed again takes the place of the former one, or nobody has it', async () => {
    const cache = createMemoryResultCache(100_000);
    const keeping = { ttlMs: 60_000, organizationId: 'a' };
    for (let time = 0; time < 20; time++) cache.set('a', result(20_000), keeping);
    keep(cache, 'b', 0, 8);
    expect([await cache.get('a'), await found(cache, 'b')]).toEqual([expect.anything(), [0, 1, 2, 3, 4, 5, 6, 7]]);
    cache.set('a', result(30_000), keeping);
    expect(await cache.get('a')).toBeUndefined();
  });
});
