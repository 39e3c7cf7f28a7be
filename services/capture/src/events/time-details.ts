import { isInRange, type TimeWarning } from './event-time.ts';
import { formatInstant, type Instant } from './instant.ts';
import { bounded } from './safe-text.ts';
import type { RequestFacts } from './event.ts';

type Event = Readonly<Record<string, unknown>>;

/**
 * Details of a warning about the time of an event, beside its uuid (contract/capture 4.7); `time` is the time taken
 * instead.
 */
export function timeDetails(
  type: TimeWarning,
  name: string,
  event: Event,
  time: Instant,
  request: RequestFacts,
): Record<string, unknown> {
  const field = typeof event['offset'] === 'number' ? 'offset' : 'timestamp';
  const details = { field, value: shown(event[field]) };
  if (type === 'ignored_invalid_timestamp')
    return {
      ...details,
      reason: typeof event['timestamp'] === 'string' ? 'no known form of a time' : 'neither a text nor a number',
    };
  const result = formatInstant(time);
  if (type === 'event_timestamp_out_of_range') return { ...details, result };
  const { receivedAtMs, sentAt } = request;
  const now = formatInstant({ ms: receivedAtMs, us: 0 });
  const sent = sentAt !== null && isInRange(sentAt) ? formatInstant(sentAt) : null;
  return {
    ...details,
    timestamp: shown(event['timestamp']),
    offset: shown(event['offset']),
    sentAt: sent,
    now,
    result,
    eventName: bounded(name),
  };
}

/** Details of the warning about a version 7 uuid that has another time than its event. */
export function divergenceDetails(
  name: string,
  id: string,
  time: Instant,
  uuidTimeMs: number,
): Record<string, unknown> {
  const uuidTimestamp = formatInstant({ ms: uuidTimeMs, us: 0 });
  const divergenceDays = Math.round(Math.abs(uuidTimeMs - time.ms) / 86_400_000);
  return {
    event: bounded(name),
    distinctId: bounded(id),
    eventTimestamp: formatInstant(time),
    uuidTimestamp,
    divergenceDays,
  };
}

/** The client's value as JSON, at most 200 bytes; null when there is none. */
function shown(value: unknown): string | null {
  return value === undefined || value === null ? null : bounded(JSON.stringify(value));
}
