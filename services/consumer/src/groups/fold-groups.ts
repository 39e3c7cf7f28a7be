import { warn, type EventDraft } from '../event-draft.ts';
import { emptyObject } from '../json/clean-text.ts';
import type { JsonObject } from '../json/exact-json.ts';
import { sameJson } from '../persons/merge-properties.ts';
import { PersonProperties } from '../persons/person.ts';
import { groupText, type GroupKey, type GroupState } from './group.ts';

/** A `$groupidentify` whose group has its index. */
export interface GroupDescription extends GroupKey {
  draft: EventDraft;
  set: JsonObject;
}

/** Largest properties of one group, in bytes of JSON. */
export const groupBytesMax = 655_360;

/**
 * Folds what events say of groups, in order, over the groups known to Postgres, and answers those that change: properties
 * are laid over the existing ones, the earliest event is the creation (contract/capture 4.5). What would make a group too
 * large is left out, with a warning.
 * @param now UTC with six digits.
 */
export function foldGroups(descriptions: readonly GroupDescription[], known: ReadonlyMap<string, GroupState>, now: string): GroupState[] {
  const next = new Map<string, GroupState>();
  for (const description of descriptions) {
    const text = groupText(description);
    const stored = known.get(text) ?? null;
    const folded = describe(description, next.get(text) ?? stored);
    if (folded !== null) next.set(text, { ...folded, updatedAt: now, version: (stored?.version ?? -1) + 1 });
  }
  return [...next.values()];
}

/** Null when it says nothing new. */
function describe({ draft, teamId, index, key, set }: GroupDescription, current: GroupState | null): GroupState | null {
  const { timestamp, distinctId } = draft.head;
  const before = current?.properties ?? new PersonProperties(emptyObject());
  const isNews = Object.keys(set).some((name) => !Object.hasOwn(before.values, name) || !sameJson(before.values[name], set[name]));
  const createdAt = current !== null && current.createdAt <= timestamp ? current.createdAt : timestamp;
  if (current !== null && !isNews && createdAt === current.createdAt) return null;
  const group: GroupState = { teamId, index, key, properties: before, createdAt, updatedAt: '', version: 0 };
  if (!isNews) return group;
  const properties = new PersonProperties(Object.assign(emptyObject(), before.values, set));
  if (Buffer.byteLength(properties.text) <= groupBytesMax) return { ...group, properties };
  warn(draft, 'group_upsert_message_size_too_large', { groupTypeIndex: index, groupKey: key, distinctId, pipelineStep: 'fold-groups' });
  return current === null ? group : null;
}
