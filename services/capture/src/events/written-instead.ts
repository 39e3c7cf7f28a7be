import type { RawEvent } from './event.ts';

/** Names under which other clients send the two fields that an event needs. */
const likely = {
  distinct_id: ['distinctId', 'distinctID', 'distinct-id', 'userId', 'user_id', 'anonymousId'],
  event: ['eventName', 'event_name', 'events', 'name', 'type'],
} as const;

/** A larger event is not read a second time for the sake of a hint. */
const readBytesMax = 16_384;

/** The field of an event that its sender took for the missing one, as a detail of the warning; nothing when there is none. */
export function writtenInstead({ bytes, span }: RawEvent, missing: keyof typeof likely): { written?: string } {
  if (span.end - span.start > readBytesMax) return {};
  const event = JSON.parse(bytes.toString('utf8', span.start, span.end)) as object;
  const written = likely[missing].find((name) => Object.hasOwn(event, name));
  return written === undefined ? {} : { written };
}
