import type { RawEvent } from './accept-event.ts';
import { isObject } from './is-object.ts';
import { JsonReader } from './json-reader.ts';
import { eventMembers, propertyMembers, type EventMembers, type KnownNames, type PropertyName } from './known-members.ts';
import type { Span } from './scan-body.ts';

const closeBrace = 0x7d;

/** The client's own text of a part of the body. */
export function textAt({ bytes }: RawEvent, { start, end }: Span): string {
  return bytes.toString('utf8', start, end);
}

/** Null when there are none, or null. */
export function propertiesSpan({ span, value }: RawEvent): Span | null {
  return isObject(value) && isObject(value['properties']) ? span.properties : null;
}

/** The properties as the client wrote them, or `{}`. */
export function propertiesTextOf(raw: RawEvent): string {
  const span = propertiesSpan(raw);
  return span === null ? '{}' : textAt(raw, span);
}

/** The text of a member of an event, which must have it. Goes through the event once more: for the few values whose text matters. */
export function memberText(raw: RawEvent, name: keyof EventMembers): string {
  return textAt(raw, memberSpan(raw, raw.span, eventMembers, name));
}

/** The same of one of its properties. */
export function propertyText(raw: RawEvent, name: PropertyName): string {
  return textAt(raw, propertySpan(raw, name));
}

function propertySpan(raw: RawEvent, name: PropertyName): Span {
  return memberSpan(raw, required(propertiesSpan(raw)), propertyMembers, name);
}

/** Of equal names the last one counts. */
function memberSpan<Name extends string>({ bytes }: RawEvent, object: Span, names: KnownNames<Name>, name: Name): Span {
  const reader = new JsonReader(bytes.subarray(object.start, object.end), Infinity);
  let found: Span | null = null;
  reader.next();
  for (let more = reader.enter(1); more; more = reader.hasMore(closeBrace)) {
    const isIt = reader.key(names) === name;
    const start = object.start + reader.at;
    reader.skip(1);
    if (isIt) found = { start, end: object.start + reader.at };
  }
  return required(found);
}

function required(span: Span | null): Span {
  if (span === null) throw new Error('the text of an event does not hold what its value does');
  return span;
}
