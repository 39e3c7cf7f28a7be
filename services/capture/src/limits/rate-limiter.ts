import { LRUCache } from 'lru-cache';

/** Rate of a key: `perSecond` on average, `burst` at once. */
export interface Rate {
  perSecond: number;
  burst: number;
}

export interface RateLimiter {
  /**
   * Takes `count` for a key at `nowMs`. False: the key has used up what it may, and nothing was taken. More than is left
   * may be taken at once; the key then waits until that is paid off.
   */
  take(key: string, count: number, nowMs: number): boolean;
}

interface Bucket {
  tokens: number;
  atMs: number;
}

/**
 * A token bucket for each key. Memory is bounded: the `keysMax` keys that were used last are held. A key that is
 * forgotten begins with a full bucket, as a key that has rested long enough does anyway.
 */
export function createRateLimiter({ perSecond, burst }: Rate, keysMax: number): RateLimiter {
  // With `max` the memory of all keys would be taken at once: 5.6 MB for 200,000.
  const buckets = new LRUCache<string, Bucket>({ maxSize: keysMax, sizeCalculation: () => 1 });

  function bucketOf(key: string, nowMs: number): Bucket {
    const known = buckets.get(key);
    if (known !== undefined) return known;
    const bucket = { tokens: burst, atMs: nowMs };
    buckets.set(key, bucket);
    return bucket;
  }

  return {
    take(key, count, nowMs) {
      const bucket = bucketOf(key, nowMs);
      const seconds = Math.max(0, nowMs - bucket.atMs) / 1000;
      bucket.tokens = Math.min(burst, bucket.tokens + seconds * perSecond);
      bucket.atMs = nowMs;
      if (bucket.tokens < 1) return false;
      bucket.tokens -= count;
      return true;
    },
  };
}
