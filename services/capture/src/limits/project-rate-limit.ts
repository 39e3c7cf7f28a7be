import { LRUCache } from 'lru-cache';
import { createRateLimiter, type Rate } from './rate-limiter.ts';

/** Decides which events of a project stay in the main lane. */
export interface ProjectRateLimit {
  /** False: the event goes to overflow. `key` is `token:distinct_id`. */
  allows: (token: string, key: string, nowMs: number) => boolean;
}

/** Most projects, and most distinct ids in overflow, in memory. */
const projectsMax = 10_000;
const keysMax = 100_000;
/** Time for which all events of a distinct id above the limit go to overflow, so that they stay in order. */
const limitedMs = 60_000;

/**
 * Limits each project's rate in the main lane, so that none fills it for the others. Events above `rate`
 * go to overflow, by whole distinct ids and for a minute at a time. Memory is bounded: 100,000 ids.
 */
export function createProjectRateLimit(rate: Rate): ProjectRateLimit {
  const projects = createRateLimiter(rate, projectsMax);
  /** End of the overflow of each distinct id. */
  const limited = new LRUCache<string, number>({ maxSize: keysMax, sizeCalculation: () => 1 });

  return {
    allows(token, key, nowMs) {
      const untilMs = limited.get(key);
      if (untilMs !== undefined && nowMs < untilMs) return false;
      if (projects.take(token, 1, nowMs)) return true;
      limited.set(key, nowMs + limitedMs);
      return false;
    },
  };
}
