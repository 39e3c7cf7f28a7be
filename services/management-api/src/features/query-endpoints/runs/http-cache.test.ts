import { describe, expect, test } from '@jest/globals';
import { cacheHeaders } from './http-cache.ts';
import type { ServedResult } from './get-or-compute-result.ts';
import type { RunRequest } from './run-request.ts';

const headersOf = (key: string, atMs: number, nowMs = atMs, refresh: RunRequest['refresh'] = 'cache') =>
  cacheHeaders(
    { key, isCached: true, path: 'inline', result: { atMs } as ServedResult['result'] },
    { request: { refresh }, version: { dataFreshnessSeconds: 900 } },
    nowMs,
  );

describe('headers by which a client may cache a reply', () => {
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
  ])('allow %i ms after the result was computed to cache it for %i s', (ageMs, seconds) => {
    expect(headersOf('a', 5_000_000, 5_000_000 + ageMs)['cache-control']).toBe(`private, max-age=${seconds}`);
  });

  test.each(['force', 'direct'] as const)('let no reply to %s be used again without a new run', (refresh) => {
    expect(headersOf('a', 0, 0, refresh)).toEqual({ ...headersOf('a', 0), 'cache-control': 'private, no-cache' });
  });

  // Accept can choose the format, and a key sees more than a run token.
  test('separate replies to different keys, and in different formats', () =>
    expect(headersOf('a', 0)['vary']).toBe('Accept, Authorization'));
});
