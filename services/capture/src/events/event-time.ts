import type { Instant } from './instant.ts';
import { parseInstant } from './parse-instant.ts';

/** Bounds of what ClickHouse's DateTime64 holds: 1900-01-01 to the end of 2299 (contract/decisions 29). */
const earliestMs = Date.UTC(1900, 0, 1);
const latestMs = Date.UTC(2300, 0, 1) - 1;

/** An event dated further ahead than this gets the time of arrival (contract/capture 2.5). */
const futureMaxMs = 23 * 3_600_000;

/** False for what no `CapturedEvent` may carry: times before 1900 or after 2299 (contract/decisions 29). */
export function isInRange({ ms }: Instant): boolean {
  return ms >= earliestMs && ms <= latestMs;
}

/** True for the first moment of 1970, in any form: a time, but also what many languages have in the place of none. */
export function isUnixZero(value: unknown): boolean {
  const instant = parseInstant(value);
  return instant?.ms === 0 && instant.us === 0;
}

/** Time fields of an event, and those of its request. */
export interface TimeFacts {
  timestamp: unknown;
  offset: unknown;
  ignoreSentAt: boolean;
  receivedAtMs: number;
  /** Time at which the client sent the request, by its own clock. */
  sentAt: Instant | null;
}

export type TimeWarning = 'ignored_invalid_timestamp' | 'event_timestamp_in_future' | 'event_timestamp_out_of_range';

/** Time of the event (contract/capture 2.5, contract/decisions 3 and 29), and its corrections. */
export function eventTime(facts: TimeFacts): { time: Instant; warning: TimeWarning | null } {
  const now: Instant = { ms: facts.receivedAtMs, us: 0 };
  const said = saidTime(facts, now);
  if (said === 'unreadable') return { time: now, warning: 'ignored_invalid_timestamp' };
  if (said.ms - now.ms > futureMaxMs) return { time: now, warning: 'event_timestamp_in_future' };
  if (said.ms < earliestMs) return { time: { ms: earliestMs, us: 0 }, warning: 'event_timestamp_out_of_range' };
  if (said.ms > latestMs) return { time: { ms: latestMs, us: 0 }, warning: 'event_timestamp_out_of_range' };
  return { time: said, warning: null };
}

function saidTime(facts: TimeFacts, now: Instant): Instant | 'unreadable' {
  const { offset, timestamp, sentAt } = facts;
  if (typeof offset === 'number' && Number.isFinite(offset)) return shift(now, -Math.round(offset));
  if (timestamp === undefined || timestamp === null || timestamp === '') return now;
  const parsed = parseInstant(timestamp);
  if (parsed === null) return 'unreadable';
  if (sentAt === null || facts.ignoreSentAt) return parsed;
  return shift(parsed, now.ms - sentAt.ms, now.us - sentAt.us);
}

/** Moves by milliseconds and microseconds (either may be negative). */
function shift(from: Instant, ms: number, us = 0): Instant {
  const total = from.us + us;
  const carry = Math.floor(total / 1000);
  return { ms: from.ms + ms + carry, us: total - carry * 1000 };
}
