import { groupKeyLengthMax, groupTypeLengthMax } from '@millrace/contracts/limits.ts';
import { isJsonObject, parseAsWritten } from '@millrace/json/exact-json.ts';
import { textOf } from './text-of.ts';
import { tooLargeToKeep } from '@millrace/json/composed-values.ts';
import { propertyText } from './event-text.ts';
import { bounded, codePointCount, isLongerThan } from './safe-text.ts';
import type { RawEvent } from './event.ts';

/** The warning that one of the two limits was exceeded (spec 8, contract/capture 4.7). */
export interface GroupWarning {
  type: 'group_type_too_long' | 'group_key_too_long';
  details: Record<string, unknown>;
}

type Properties = Readonly<Record<string, unknown>>;

/** The warning about a `$groupidentify` that is too long, after coercion to text; null when it fits. */
export function groupIdentifyWarning(properties: Properties, raw: RawEvent): GroupWarning | null {
  return (
    tooLong('group_type_too_long', '$group_type', properties, raw) ??
    tooLong('group_key_too_long', '$group_key', properties, raw)
  );
}

function tooLong(
  type: GroupWarning['type'],
  name: '$group_type' | '$group_key',
  properties: Properties,
  raw: RawEvent,
): GroupWarning | null {
  const value = properties[name];
  return value === undefined || value === null
    ? null
    : warningOf(
        type,
        textOf(value, () => propertyText(raw, name)),
      );
}

function warningOf(type: GroupWarning['type'], text: string): GroupWarning | null {
  const maxLength = type === 'group_type_too_long' ? groupTypeLengthMax : groupKeyLengthMax;
  if (!isLongerThan(text, maxLength)) return null;
  const name = type === 'group_type_too_long' ? 'groupType' : 'groupKey';
  return { type, details: { [name]: bounded(text), [`${name}Length`]: codePointCount(text), maxLength } };
}

/** The warning about an entry of `$groups` that is too long, or null. */
function entryWarning(name: string, key: unknown): GroupWarning | null {
  return (
    warningOf('group_type_too_long', name) ??
    warningOf('group_key_too_long', typeof key === 'string' ? key : JSON.stringify(key))
  );
}

/**
 * Removes the entries of `$groups` whose type or key is too long (contract/capture 1.9), and all entries when `$groups` is too
 * large to be read; the event is kept. Nearly always there is nothing to remove: then null. Else the JSON text of the entries
 * that stay, with all digits of their numbers, and the warnings about the others.
 */
export function withoutLongGroups(
  properties: Properties,
  raw: RawEvent,
): { kept: string; warnings: GroupWarning[] } | null {
  const { $groups: groups } = properties;
  if (groups === tooLargeToKeep) return withoutGroups(raw);
  if (!isJsonObject(groups) || Object.keys(groups).every((name) => entryWarning(name, groups[name]) === null))
    return null;
  const kept = parseAsWritten(propertyText(raw, '$groups'));
  if (!isJsonObject(kept)) throw new Error('the text of the groups is not that of the event');
  const warnings: GroupWarning[] = [];
  for (const name of Object.keys(kept)) {
    const warning = entryWarning(name, kept[name]);
    if (warning === null) continue;
    warnings.push(warning);
    delete kept[name];
  }
  return { kept: JSON.stringify(kept), warnings };
}

function withoutGroups(raw: RawEvent): { kept: string; warnings: GroupWarning[] } {
  const warning = warningOf('group_key_too_long', propertyText(raw, '$groups'));
  return { kept: '{}', warnings: warning === null ? [] : [warning] };
}
