import { groupKeyLengthMax, groupTypeLengthMax } from '@millrace/contracts/limits.ts';
import { excerpt, warn, type EventDraft, type NamedGroup } from '../events/event-draft.ts';
import { storableJson } from '../properties/storable-json.ts';
import { isJsonObject, jsonTypeName, rawNumber, type JsonObject } from '@millrace/json/exact-json.ts';
import { drop, ok, type Outcome } from '../events/outcome.ts';

const groupNames = ['$group_type', '$group_key', '$group_set'] as const;

/**
 * A project has five types; an event that names more gets a warning about one of them. Any sender may name thousands,
 * and each would be looked up, and warned of.
 */
const groupsPerEventMax = 20;

/**
 * Reads the groups that an event belongs to, and the group that a `$groupidentify` describes (contract/capture 4.5). Their
 * indexes are known later. An anonymous event belongs to no group, and may still describe one.
 */
export function readGroups(draft: EventDraft): Outcome {
  if (draft.profile !== 'anonymous') readMemberships(draft, draft.properties.get('$groups'));
  return draft.eventKind.describesGroup ? readDescription(draft) : ok;
}

function readMemberships(draft: EventDraft, groups: unknown): void {
  if (!isJsonObject(groups)) return;
  const found: NamedGroup[] = [];
  let count = 0;
  for (const [type, value] of Object.entries(groups)) {
    const key = keyText(value);
    if (type === '' || key === null) continue;
    if (++count > groupsPerEventMax) break;
    if (!isTooLong(draft, type, key)) found.push({ type, key });
  }
  draft.groups = found;
}

function readDescription(draft: EventDraft): Outcome {
  const [givenType, givenKey, given] = groupNames.map((name) => draft.properties.get(name));
  const [type, key] = [keyText(givenType), keyText(givenKey)];
  if (type === null || key === null || givenType === 0 || givenKey === 0) return ok;
  if (isTooLong(draft, type, key)) return drop('group_too_long');
  if (given !== undefined && given !== null && !isJsonObject(given)) {
    warn(draft, 'invalid_group_set', { groupType: type, groupKey: key, receivedType: jsonTypeName(given) });
    return ok;
  }
  draft.groupSet = { type, key, set: isJsonObject(given) ? (storableJson(given) as JsonObject) : {} };
  return ok;
}

/** Null for what is neither text nor a number, and for empty text. */
function keyText(value: unknown): string | null {
  if (typeof value === 'string') return value === '' ? null : value;
  return typeof value === 'number' ? String(value) : rawNumber(value);
}

function isTooLong(draft: EventDraft, type: string, key: string): boolean {
  if (lengthOf(type) > groupTypeLengthMax) {
    warn(draft, 'group_type_too_long', {
      groupType: excerpt(type),
      groupTypeLength: lengthOf(type),
      maxLength: groupTypeLengthMax,
    });
    return true;
  }
  if (lengthOf(key) <= groupKeyLengthMax) return false;
  warn(draft, 'group_key_too_long', {
    groupKey: excerpt(key),
    groupKeyLength: lengthOf(key),
    maxLength: groupKeyLengthMax,
  });
  return true;
}

function lengthOf(text: string): number {
  return text.length <= groupKeyLengthMax ? text.length : Array.from(text).length;
}
