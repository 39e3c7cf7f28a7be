import { createRateLimiter, type Rate } from './rate-limiter.ts';

/** Decides which events of a project find room in the main lane. */
export interface MainShare {
  /** False: the event goes to overflow. `key` is `token:distinct_id`. */
  hasRoom: (token: string, key: string, nowMs: number) => boolean;
}

/** Projects, and distinct ids that flow over, that are remembered. */
const projectsMax = 10_000;
const keysMax = 100_000;
/** For so long all events of a distinct id that was beyond the share flow over, so that they stay in order. */
const turnedAwayMs = 60_000;

/**
 * A share of the main lane for each project, so that none fills it for the others: `rate` is what it has there, what is
 * beyond flows over, by whole distinct ids and a minute at a time. Bounded memory: 100,000 ids.
 */
export function createMainShare(rate: Rate): MainShare {
  const projects = createRateLimiter(rate, projectsMax);
  /** Until when a distinct id is turned away. */
  let recent = new Map<string, number>();
  let older = new Map<string, number>();

  return {
    hasRoom(token, key, nowMs) {
      const untilMs = recent.get(key) ?? older.get(key);
      if (untilMs !== undefined && nowMs < untilMs) return false;
      if (projects.take(token, 1, nowMs)) return true;
      if (recent.size >= keysMax / 2) [older, recent] = [recent, new Map<string, number>()];
      recent.set(key, nowMs + turnedAwayMs);
      return false;
    },
  };
}
