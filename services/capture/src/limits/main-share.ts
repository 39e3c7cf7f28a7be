import { LRUCache } from 'lru-cache';
import { createRateLimiter, type Rate } from './rate-limiter.ts';

/** Decides which events of a project find room in the main lane. */
export interface MainShare {
  /** False: the event goes to overflow. `key` is `token:distinct_id`. */
  hasRoom: (token: string, key: string, nowMs: number) => boolean;
}

/** How many projects, and how many distinct ids that go to overflow, are remembered. */
const projectsMax = 10_000;
const keysMax = 100_000;
/** How long all events of a distinct id that was beyond the share go to overflow, so that they stay in order. */
const turnedAwayMs = 60_000;

/**
 * Gives each project a share of the main lane, so that none fills it for the others: `rate` is the share, and what is beyond it
 * goes to overflow, by whole distinct ids and for a minute at a time. Memory is bounded: 100,000 ids.
 */
export function createMainShare(rate: Rate): MainShare {
  const projects = createRateLimiter(rate, projectsMax);
  /** Until when a distinct id is turned away. */
  const turnedAway = new LRUCache<string, number>({ maxSize: keysMax, sizeCalculation: () => 1 });

  return {
    hasRoom(token, key, nowMs) {
      const untilMs = turnedAway.get(key);
      if (untilMs !== undefined && nowMs < untilMs) return false;
      if (projects.take(token, 1, nowMs)) return true;
      turnedAway.set(key, nowMs + turnedAwayMs);
      return false;
    },
  };
}
