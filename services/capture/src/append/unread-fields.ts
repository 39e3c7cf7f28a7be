import { isJsonObject } from '@millrace/json/exact-json.ts';
import { parseInstant } from '../events/parse-instant.ts';
import type { ParsedBody } from '../http/parse-body.ts';

/** A field of an event that has no effect where it stands, in a sentence for its sender. */
interface UnreadField {
  index: number;
  detail: string;
}

/** Fields that capture reads, and those that SDKs write beside them, which say nothing about the event. */
const expected = new Set([
  ...'event distinct_id $distinct_id uuid timestamp offset properties $set $set_once $unset'.split(' '),
  ...'api_key token $token sent_at historical_migration'.split(' '),
  ...'type library library_version library_consumer send_feature_flags messageId message_id context'.split(' '),
]);

/** Names under which other clients send the time of an event. */
const namesOfTime = new Set('time $time ts date datetime eventtime createdat occurredat timestamp'.split(' '));

/** A larger body is not read a second time. */
const readBytesMax = 262_144;
const fieldsOfEventMax = 10;

/** Fields beside the properties that are not stored, and times that are none, of the events that `isStored`. Pure. */
export function unreadFields(
  { bytes, events, spans }: Pick<ParsedBody, 'bytes' | 'events' | 'spans'>,
  isStored: (index: number) => boolean,
): UnreadField[] {
  if (bytes.length > readBytesMax) return [];
  return events.flatMap((event, index) => {
    const span = spans[index];
    if (span === undefined || !isJsonObject(event) || !isStored(index)) return [];
    const hasTime = !isNothing(event['timestamp']) || !isNothing(event['offset']);
    const names = Object.keys(JSON.parse(bytes.toString('utf8', span.start, span.end)) as object);
    const details = names
      .filter((name) => !expected.has(name))
      .slice(0, fieldsOfEventMax)
      .map((name) => describe(name, hasTime));
    if (!hasTime && isTimeBelow(bytes, span.properties))
      details.push('The event has no timestamp. Write "timestamp" beside "properties", not in them.');
    return details.map((detail) => ({ index, detail }));
  });
}

function describe(name: string, hasTime: boolean): string {
  const shown = JSON.stringify(name.slice(0, 100));
  return !hasTime && namesOfTime.has(name.toLowerCase().replaceAll('_', ''))
    ? `${shown} is not a field of an event, which has no timestamp. Write "timestamp" instead.`
    : `${shown} is not a field of an event, and is not stored. Write it in "properties".`;
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** Do the properties hold a timestamp that would do for the event? */
function isTimeBelow(bytes: Buffer, span: ParsedBody['spans'][number]['properties']): boolean {
  if (span === null) return false;
  const properties = JSON.parse(bytes.toString('utf8', span.start, span.end)) as unknown;
  return isJsonObject(properties) && parseInstant(properties['timestamp']) !== null;
}
