import type { Clock } from '@millrace/runtime/clock.ts';

/** Lets one warning an hour through for each (project, type, key) (contract/capture 4.7). */
export type WarningLimiter = (teamId: number, type: string, key: string) => boolean;

const windowMs = 3_600_000;

/** Maximum keys; when full, the oldest is evicted, which at worst lets a warning through early. */
const keysMax = 50_000;

/**
 * The limiter of one batch. One that is done again has its own: what was let through then may not have been stored, and
 * what was stored is so under the batch's token.
 */
export function limiterOf(batch: { again: boolean }, limiter: WarningLimiter, clock: Clock): WarningLimiter {
  return batch.again ? createWarningLimiter(clock) : limiter;
}

/** The memory is this process': several consumers let through one each. */
export function createWarningLimiter(clock: Clock): WarningLimiter {
  const lastAt = new Map<string, number>();
  return (teamId, type, key) => {
    const id = `${teamId}:${type}:${key}`;
    const now = clock.nowMs();
    if (now - (lastAt.get(id) ?? -Infinity) < windowMs) return false;
    lastAt.delete(id);
    lastAt.set(id, now);
    const [oldest = id] = lastAt.keys();
    if (lastAt.size > keysMax) lastAt.delete(oldest);
    return true;
  };
}
