import { isJsonObject } from '@millrace/json/exact-json.ts';
import type { EventMembers, PropertyName } from '../body/known-members.ts';
import type { Span } from '@millrace/json/span.ts';
import type { RawEvent } from './event.ts';

/** The client's own text of a part of the body. */
export function textAt({ bytes }: RawEvent, { start, end }: Span): string {
  return bytes.toString('utf8', start, end);
}

/** Range of the properties of an event; null when it has none, or they are null. */
export function propertiesSpan({ span, value }: RawEvent): Span | null {
  return isJsonObject(value) && isJsonObject(value['properties']) ? span.properties : null;
}

/** The properties as the client wrote them, or `{}`. */
export function propertiesTextOf(raw: RawEvent): string {
  const span = propertiesSpan(raw);
  return span === null ? '{}' : textAt(raw, span);
}

/** The text of a member of an event whose value is an object, an array or a number with lost digits. */
export function memberText(raw: RawEvent, name: keyof EventMembers): string {
  return valueText(raw, name, false);
}

/** As `memberText`, for one of the properties of the event. */
export function propertyText(raw: RawEvent, name: PropertyName): string {
  return valueText(raw, name, true);
}

/** The last of equal names counts. */
function valueText(raw: RawEvent, name: string, isPicked: boolean): string {
  const found = raw.span.texts?.findLast((text) => text.name === name && text.isPicked === isPicked);
  if (found === undefined) throw new Error('the text of an event does not hold what its value does');
  return textAt(raw, found);
}
