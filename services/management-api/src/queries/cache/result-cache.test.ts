import { describe, expect, test } from '@jest/globals';
import { createMemoryResultCache, type ResultCache, type StoredResult } from './result-cache.ts';

const result = (bytes: number): StoredResult => ({
  result: { columns: [], rows: new Uint8Array(bytes - 500), rowCount: 1 },
  hasMore: false,
  warnings: [],
  atMs: 0,
});

/** Stores results of a tenth of the cache each. Their keys begin with the id of the organization. */
function store(cache: ResultCache, organizationId: string, from: number, to: number): void {
  for (let n = from; n < to; n++) cache.set(`${organizationId}${n}`, result(10_000), { ttlMs: 60_000, organizationId });
}
const found = async (cache: ResultCache, organizationId: string): Promise<number[]> => {
  const cached: number[] = [];
  for (let n = 0; n < 30; n++) if ((await cache.get(`${organizationId}${n}`)) !== undefined) cached.push(n);
  return cached;
};

describe('results that are cached in this process', () => {
  test('a result of more than a quarter of the cache is not stored', async () => {
    const cache = createMemoryResultCache(100_000);
    for (const size of [25_000, 25_001]) cache.set(String(size), result(size), { ttlMs: 60_000, organizationId: 'o' });
    expect([await cache.get('25000'), await cache.get('25001')]).toEqual([expect.anything(), undefined]);
  });

  test('an organization that is alone has the whole cache; its oldest results are evicted first', async () => {
    const cache = createMemoryResultCache(100_000);
    store(cache, 'a', 0, 12);
    expect(await found(cache, 'a')).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  });

  test('an organization that stores without end evicts no results of others beyond its half', async () => {
    const cache = createMemoryResultCache(100_000);
    store(cache, 'b', 0, 3);
    store(cache, 'c', 0, 2);
    store(cache, 'a', 0, 30);
    expect([await found(cache, 'b'), await found(cache, 'c'), await found(cache, 'a')]).toEqual([
      [0, 1, 2],
      [0, 1],
      [25, 26, 27, 28, 29],
    ]);
  });

  test('an organization that has filled the cache loses room to others', async () => {
    const cache = createMemoryResultCache(100_000);
    store(cache, 'a', 0, 10);
    store(cache, 'b', 0, 4);
    expect([await found(cache, 'a'), await found(cache, 'b')]).toEqual([
      [4, 5, 6, 7, 8, 9],
      [0, 1, 2, 3],
    ]);
    store(cache, 'a', 10, 12);
    expect([await found(cache, 'a'), await found(cache, 'b')]).toEqual([
      [6, 7, 8, 9, 10, 11],
      [0, 1, 2, 3],
    ]);
  });

  test('a result that is computed again replaces the old one; when it is too large, the key has no result', async () => {
    const cache = createMemoryResultCache(100_000);
    const options = { ttlMs: 60_000, organizationId: 'a' };
    for (let time = 0; time < 20; time++) cache.set('a', result(20_000), options);
    store(cache, 'b', 0, 8);
    expect([await cache.get('a'), await found(cache, 'b')]).toEqual([expect.anything(), [0, 1, 2, 3, 4, 5, 6, 7]]);
    cache.set('a', result(30_000), options);
    expect(await cache.get('a')).toBeUndefined();
  });
});
