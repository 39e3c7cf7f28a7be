import { groupKeyLengthMax, groupTypeLengthMax } from '@millrace/contracts/limits.ts';
import { parseKeepingDigits, textOf } from './exact-json.ts';
import { isObject } from './is-object.ts';
import { bounded, codePointCount, isLongerThan } from './safe-text.ts';

/** Which of the two limits was passed (spec 8), and the details of its warning (contract/capture 4.7). */
export interface GroupFault {
  type: 'group_type_too_long' | 'group_key_too_long';
  details: Record<string, unknown>;
}

type Properties = Readonly<Record<string, unknown>>;

const groupTypeOf = (properties: unknown): unknown => (isObject(properties) ? properties['$group_type'] : undefined);
const groupKeyOf = (properties: unknown): unknown => (isObject(properties) ? properties['$group_key'] : undefined);

/** What is too long about a `$groupidentify`, after coercion to text; null when it fits. */
export function groupIdentifyFault(properties: Properties, propertiesText: () => string): GroupFault | null {
  return (
    tooLong('group_type_too_long', properties, groupTypeOf, propertiesText) ??
    tooLong('group_key_too_long', properties, groupKeyOf, propertiesText)
  );
}

function tooLong(type: GroupFault['type'], properties: Properties, pick: (from: unknown) => unknown, text: () => string): GroupFault | null {
  const value = pick(properties);
  return value === undefined || value === null ? null : faultOf(type, textOf(properties, pick, text));
}

function faultOf(type: GroupFault['type'], text: string): GroupFault | null {
  const maxLength = type === 'group_type_too_long' ? groupTypeLengthMax : groupKeyLengthMax;
  if (!isLongerThan(text, maxLength)) return null;
  const name = type === 'group_type_too_long' ? 'groupType' : 'groupKey';
  return { type, details: { [name]: bounded(text), [`${name}Length`]: codePointCount(text), maxLength } };
}

/** What is too long about an entry of `$groups`, or null. */
function entryFault(name: string, key: unknown): GroupFault | null {
  return faultOf('group_type_too_long', name) ?? faultOf('group_key_too_long', typeof key === 'string' ? key : JSON.stringify(key));
}

/**
 * Takes entries of `$groups` that are too long out of the properties (contract/capture 1.9): the event stays. Null, and
 * that is nearly always, when there are none; else the text without them, with everything else and all digits kept.
 */
export function withoutLongGroups(properties: Properties, propertiesText: () => string): { text: string; faults: GroupFault[] } | null {
  const { $groups: groups } = properties;
  if (!isObject(groups) || Object.keys(groups).every((name) => entryFault(name, groups[name]) === null)) return null;
  const kept = parseKeepingDigits(propertiesText());
  const keptGroups = isObject(kept) ? kept['$groups'] : null;
  if (!isObject(keptGroups)) throw new Error('the text of the properties is not that of the event');
  const faults: GroupFault[] = [];
  for (const name of Object.keys(keptGroups)) {
    const fault = entryFault(name, keptGroups[name]);
    if (fault === null) continue;
    faults.push(fault);
    delete keptGroups[name];
  }
  return { text: JSON.stringify(kept), faults };
}
