import { describe, expect, test } from '@jest/globals';
import { cacheHeaders } from './http-cache.ts';
import type { ServedResult } from './get-or-compute-result.ts';

const headersOf = (key: string, atMs: number, nowMs = atMs, refresh: 'cache' | 'force' = 'cache') =>
  cacheHeaders(
    { key, isCached: true, result: { atMs } as ServedResult['result'] },
    { request: { refresh }, version: { dataFreshnessSeconds: 900 } },
    nowMs,
  );

describe('headers by which a client may keep a reply', () => {
  test('have one tag for one result, another for each other result and each other time', () => {
    expect(headersOf('a', 1_000, 60_000)['etag']).toBe(headersOf('a', 1_000)['etag']);
    expect(
      new Set([headersOf('a', 1_000), headersOf('b', 1_000), headersOf('a', 1_001)].map(({ etag }) => etag)).size,
    ).toBe(3);
  });

  test.each([
    [0, 900],
    [1, 899],
    [899_001, 0],
    [2_000_000, 0],
  ])('%i ms after it was read, let it be kept for %i s: never too long', (ageMs, seconds) => {
    expect(headersOf('a', 5_000_000, 5_000_000 + ageMs)['cache-control']).toBe(`private, max-age=${seconds}`);
  });

  test('let none be kept of who asks for the rows of now: what a client has kept would be no reading', () => {
    expect(headersOf('a', 0, 0, 'force')).toEqual({ ...headersOf('a', 0), 'cache-control': 'private, no-cache' });
  });

  // A format may be chosen by Accept, and what a key sees is not what a token sees.
  test('keep replies to other keys, and in other formats, apart', () =>
    expect(headersOf('a', 0)['vary']).toBe('Accept, Authorization'));
});
