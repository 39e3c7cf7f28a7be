/** How much a key may do: `perSecond` on average, `burst` at once. */
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
 * A token bucket for each key. Memory is bounded: at most `keysMax` keys are remembered, those in use longest. A key
 * that is forgotten begins with a full bucket, as a key that has rested long enough does anyway.
 */
export function createRateLimiter({ perSecond, burst }: Rate, keysMax: number): RateLimiter {
  let recent = new Map<string, Bucket>();
  let older = new Map<string, Bucket>();

  function bucketOf(key: string, nowMs: number): Bucket {
    const known = recent.get(key);
    if (known !== undefined) return known;
    const bucket = older.get(key) ?? { tokens: burst, atMs: nowMs };
    if (recent.size >= keysMax / 2) [older, recent] = [recent, new Map<string, Bucket>()];
    recent.set(key, bucket);
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
