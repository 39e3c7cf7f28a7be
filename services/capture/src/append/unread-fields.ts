import { isJsonObject } from '@millrace/json/exact-json.ts';
import { formatInstant } from '../events/instant.ts';
import { parseInstant } from '../events/parse-instant.ts';
import type { ParsedBody } from '../http/parse-body.ts';
import { fieldInstead } from './field-instead.ts';
import { valuesInVain } from './values-in-vain.ts';

/** A part of an event that has no effect as it was written, or hardly the one that was meant, in a sentence for its sender. */
interface UnreadField {
  index: number;
  code: 'unread_field' | 'doubtful_timestamp';
  detail: string;
}

/** Fields that capture reads, and those that SDKs write beside them, which say nothing about the event. */
const expected = new Set([
  ...'event distinct_id $distinct_id uuid timestamp offset properties $set $set_once $unset'.split(' '),
  ...'api_key token $token sent_at historical_migration'.split(' '),
  ...'type library library_version library_consumer send_feature_flags messageId message_id context'.split(' '),
]);

/** A larger body is not read a second time. */
const readBytesMax = 262_144;
const fieldsOfEventMax = 10;

/**
 * Fields beside the properties that are not stored, values without an effect, and times that are none, of the events that
 * `isStored`. Pure.
 */
export function unreadFields(
  { bytes, events, spans }: Pick<ParsedBody, 'bytes' | 'events' | 'spans'>,
  isStored: (index: number) => boolean,
): UnreadField[] {
  if (bytes.length > readBytesMax) return [];
  return events.flatMap((event, index) => {
    const span = spans[index];
    if (span === undefined || !isJsonObject(event) || !isStored(index)) return [];
    const written = JSON.parse(bytes.toString('utf8', span.start, span.end)) as Readonly<Record<string, unknown>>;
    const time = doubtfulTime(written);
    return [
      ...unreadOf(written).map((detail) => ({ index, code: 'unread_field' as const, detail })),
      ...(time === undefined ? [] : [{ index, code: 'doubtful_timestamp' as const, detail: time }]),
    ];
  });
}

function unreadOf(event: Readonly<Record<string, unknown>>): string[] {
  const hasTime = !isNothing(event['timestamp']) || !isNothing(event['offset']);
  const details = Object.keys(event)
    .filter((name) => !expected.has(name))
    .slice(0, fieldsOfEventMax)
    .map((name) => fieldInstead(name, hasTime));
  if (!hasTime && isTimeBelow(event['properties']))
    details.push('The event has no timestamp. Write "timestamp" beside "properties", not in them.');
  return [...details, ...valuesInVain(event)];
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Do the properties hold a timestamp that would do for the event? */
function isTimeBelow(properties: unknown): boolean {
  return isJsonObject(properties) && parseInstant(properties['timestamp']) !== null;
}

/** Seconds since 1970 that are less are of the years before 1973: rather a year, a day without signs, or the days of a spreadsheet. */
const leastSeconds = 1e8;

function doubtfulTime({ timestamp, offset }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof offset === 'number' || isNothing(timestamp)) return undefined;
  const seconds = typeof timestamp === 'string' ? Number(timestamp.trim() || NaN) : timestamp;
  const read = parseInstant(timestamp);
  if (typeof seconds !== 'number' || !(Math.abs(seconds) < leastSeconds) || read === null) return undefined;
  return `The timestamp ${JSON.stringify(timestamp).slice(0, 100)} is read as seconds since 1970: ${formatInstant(read)}. Write a date and time, such as "2026-01-31T12:00:00Z".`;
}
