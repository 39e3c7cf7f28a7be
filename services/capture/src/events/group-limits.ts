import { groupKeyLengthMax, groupTypeLengthMax } from '@millrace/contracts/limits.ts';
import { isJsonObject, parseAsWritten } from '@millrace/json/exact-json.ts';
import { textOf } from './text-of.ts';
import { tooLargeToKeep } from '@millrace/json/composed-values.ts';
import { propertyText } from './event-text.ts';
import { bounded, codePointCount, isLongerThan } from './safe-text.ts';
import type { RawEvent } from './event.ts';

/** Which of the two limits was passed (spec 8), and the details of its warning (contract/capture 4.7). */
export interface GroupFault {
  type: 'group_type_too_long' | 'group_key_too_long';
  details: Record<string, unknown>;
}

type Properties = Readonly<Record<string, unknown>>;

/** What is too long about a `$groupidentify`, after coercion to text; null when it fits. */
export function groupIdentifyFault(properties: Properties, raw: RawEvent): GroupFault | null {
  return (
    tooLong('group_type_too_long', '$group_type', properties, raw) ??
    tooLong('group_key_too_long', '$group_key', properties, raw)
  );
}

function tooLong(
  type: GroupFault['type'],
  name: '$group_type' | '$group_key',
  properties: Properties,
  raw: RawEvent,
): GroupFault | null {
  const value = properties[name];
  return value === undefined || value === null
    ? null
    : faultOf(
        type,
        textOf(value, () => propertyText(raw, name)),
      );
}

function faultOf(type: GroupFault['type'], text: string): GroupFault | null {
  const maxLength = type === 'group_type_too_long' ? groupTypeLengthMax : groupKeyLengthMax;
  if (!isLongerThan(text, maxLength)) return null;
  const name = type === 'group_type_too_long' ? 'groupType' : 'groupKey';
  return { type, details: { [name]: bounded(text), [`${name}Length`]: codePointCount(text), maxLength } };
}

/** What is too long about an entry of `$groups`, or null. */
function entryFault(name: string, key: unknown): GroupFault | null {
  return (
    faultOf('group_type_too_long', name) ??
    faultOf('group_key_too_long', typeof key === 'string' ? key : JSON.stringify(key))
  );
}

/**
 * Removes the entries of `$groups` whose type or key is too long (contract/capture 1.9), and all entries when `$groups` is too
 * large to be read; the event is kept. Nearly always there is nothing to remove: then null. Else the JSON text of the entries
 * that stay, with all digits of their numbers, and what was wrong with the others.
 */
export function withoutLongGroups(
  properties: Properties,
  raw: RawEvent,
): { kept: string; faults: GroupFault[] } | null {
  const { $groups: groups } = properties;
  if (groups === tooLargeToKeep) return withoutGroups(raw);
  if (!isJsonObject(groups) || Object.keys(groups).every((name) => entryFault(name, groups[name]) === null))
    return null;
  const kept = parseAsWritten(propertyText(raw, '$groups'));
  if (!isJsonObject(kept)) throw new Error('the text of the groups is not that of the event');
  const faults: GroupFault[] = [];
  for (const name of Object.keys(kept)) {
    const fault = entryFault(name, kept[name]);
    if (fault === null) continue;
    faults.push(fault);
    delete kept[name];
  }
  return { kept: JSON.stringify(kept), faults };
}

function withoutGroups(raw: RawEvent): { kept: string; faults: GroupFault[] } {
  const fault = faultOf('group_key_too_long', propertyText(raw, '$groups'));
  return { kept: '{}', faults: fault === null ? [] : [fault] };
}
