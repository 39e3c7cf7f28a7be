import { describe, expect, test } from '@jest/globals';
import { createRateLimiter } from './rate-limiter.ts';

const takeMany = (limiter: ReturnType<typeof createRateLimiter>, key: string, times: number, nowMs: number): number =>
  Array.from({ length: times }, () => limiter.take(key, 1, nowMs)).filter(Boolean).length;

describe('a rate for each key', () => {
  test('the burst at once, then the rate, and never more than the burst after a rest', () => {
    const limiter = createRateLimiter({ perSecond: 10, burst: 20 }, 100);
    expect(takeMany(limiter, 'a', 50, 0)).toBe(20);
    expect(takeMany(limiter, 'a', 50, 1000)).toBe(10);
    expect(takeMany(limiter, 'a', 50, 3_600_000)).toBe(20);
  });

  test('keys do not share', () => {
    const limiter = createRateLimiter({ perSecond: 1, burst: 1 }, 100);
    expect([limiter.take('a', 1, 0), limiter.take('a', 1, 0), limiter.take('b', 1, 0)]).toEqual([true, false, true]);
  });

  test('a batch larger than the burst passes once and is then paid off, so that no client is locked out for ever', () => {
    const limiter = createRateLimiter({ perSecond: 10, burst: 10 }, 100);
    expect([limiter.take('a', 100, 0), limiter.take('a', 1, 9_000), limiter.take('a', 1, 9_100)]).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('a clock that goes back takes nothing away', () => {
    const limiter = createRateLimiter({ perSecond: 1, burst: 2 }, 100);
    expect([limiter.take('a', 1, 10_000), limiter.take('a', 1, 0), limiter.take('a', 1, 0)]).toEqual([
      true,
      true,
      false,
    ]);
  });

  test('a flood of keys does not fill the memory, and a key in use is remembered through it', () => {
    const limiter = createRateLimiter({ perSecond: 0.001, burst: 1 }, 100);
    limiter.take('busy', 1, 0);
    for (let key = 0; key < 1000; key++) {
      limiter.take(String(key), 1, 0);
      expect(limiter.take('busy', 1, 0)).toBe(false);
    }
    expect(limiter.take('0', 1, 0)).toBe(true);
  });
});
