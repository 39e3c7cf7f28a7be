import { isTooLongId } from '@millrace/captured-event/check-head.ts';
import { warn, type EventDraft } from '../../events/event-draft.ts';
import type { ClientProperties } from '../../properties/client-properties.ts';
import { isExact, parseAsWritten, rawNumber, type JsonObject } from '@millrace/json/exact-json.ts';
import { deadLetter, ok, type Outcome } from '../../events/outcome.ts';

/**
 * Reads which two distinct ids an event declares to be one person (contract/capture 4.4). An `$identify` without the
 * other id only updates properties; an alias without one, or with an empty one, is an ordinary event, with a warning.
 */
export function readMerge(draft: EventDraft): Outcome {
  const { merge } = draft.eventKind;
  if (merge === null) return ok;
  const other = idText(draft.properties, merge.property);
  // Capture has cut it: one that is longer came by another way.
  if (other !== null && isTooLongId(other))
    return deadLetter('unreadable_properties', `${merge.property} is too long to be a distinct id`);
  if (merge.missing !== null && !other) warn(draft, merge.missing);
  else if (other !== null) draft.merge = { kind: merge.kind, own: draft.head.distinctId, other };
  return ok;
}

/** Text or a number, as capture accepts; the rules of merges refuse empty and blank text. */
function idText(properties: ClientProperties, name: string): string | null {
  const value = properties.get(name);
  if (typeof value === 'string') return value;
  if (typeof value !== 'number') return rawNumber(value);
  // As capture reads a distinct id: both must be one.
  return isExact(value) ? String(value) : rawNumber((parseAsWritten(properties.text) as JsonObject)[name]);
}
