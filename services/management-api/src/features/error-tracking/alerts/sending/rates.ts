import type { Channel } from '../delivery.ts';

/** Pauses after each attempt, in milliseconds: eight attempts within some six hours. */
export const waitsMs = [10_000, 60_000, 300_000, 1_200_000, 2_700_000, 5_400_000, 10_800_000, 10_800_000];
export const attemptsMax = waitsMs.length;

interface Rate {
  /** Attempts of a project within any `windowMs`. */
  attemptsMax: number;
  windowMs: number;
  /** Attempts at a time. */
  atOnce: number;
}

export const rates: Readonly<Record<Channel, Rate>> = {
  webhook: { attemptsMax: 20, windowMs: 60_000, atOnce: 4 },
  mail: { attemptsMax: 20, windowMs: 3_600_000, atOnce: 1 },
};

interface Waiting {
  /** Deliveries that were not tried yet. */
  fresh: number;
  /** Deliveries whose next attempt is due. */
  retries: number;
  /** Times of earlier attempts. */
  attemptedMs: readonly number[];
}

interface Plan {
  /** How many of `retries` are tried now, and how many of `fresh`, the oldest first. */
  retries: number;
  singles: number;
  /** One digest tells of all that is fresh. */
  isDigest: boolean;
  /** Until then nothing is tried; undefined: the rate leaves attempts. */
  blockedUntilMs: number | undefined;
  /** Times that still count. */
  withinMs: readonly number[];
}

/**
 * The next attempts of a project by a channel. When more is fresh than the rate leaves attempts for, the last attempt is a digest of the rest. A
 * rate that is used up is left alone until a quarter of it is back. Pure.
 */
export function planAttempts(channel: Channel, { fresh, retries, attemptedMs }: Waiting, nowMs: number): Plan {
  const { attemptsMax: most, windowMs, atOnce } = rates[channel];
  const withinMs = attemptedMs.filter((ms) => ms > nowMs - windowMs).toSorted((one, other) => one - other);
  const left = most - withinMs.length;
  if (left <= 0) {
    const blockedUntilMs = (withinMs[Math.ceil(most / 4) - 1] ?? nowMs) + windowMs;
    return { retries: 0, singles: 0, isDigest: false, blockedUntilMs, withinMs };
  }
  const again = Math.min(
    retries,
    fresh > 0 ? Math.min(Math.ceil(atOnce / 2), Math.floor(left / 2)) : Math.min(atOnce, left),
  );
  const slots = left - again;
  const isDigest = slots === 1 && fresh > 1 && again < atOnce;
  const singles = isDigest ? 0 : Math.min(fresh, atOnce - again, fresh > slots ? slots - 1 : slots);
  return { retries: again, singles, isDigest, blockedUntilMs: undefined, withinMs };
}
