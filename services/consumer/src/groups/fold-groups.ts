import { warn, type EventDraft } from '../events/event-draft.ts';
import type { JsonObject } from '@millrace/json/exact-json.ts';
import { groupText, type GroupKey, type GroupState } from './group.ts';
import { WorkingGroup } from './working-group.ts';

/** A `$groupidentify` whose group has its index. */
export interface GroupDescription extends GroupKey {
  draft: EventDraft;
  set: JsonObject;
}

/** Largest properties of one group, in bytes of JSON. */
export const groupBytesMax = 655_360;

/**
 * Folds what events say of groups, in order, over the groups known to Postgres, and returns those that change:
 * properties are laid over the existing ones, the earliest event is the creation (contract/capture 4.5). What would
 * make a group too large is left out, with a warning.
 * @param now UTC with six digits.
 */
export function foldGroups(
  descriptions: readonly GroupDescription[],
  known: ReadonlyMap<string, GroupState>,
  now: string,
): GroupState[] {
  const groups = new Map<string, WorkingGroup>();
  for (const { draft, set, ...key } of descriptions) {
    const text = groupText(key);
    const group = groups.get(text) ?? new WorkingGroup(key, known.get(text) ?? null);
    groups.set(text, group);
    if (group.describe(set, draft.head.timestamp, groupBytesMax)) continue;
    const details = {
      groupTypeIndex: key.index,
      groupKey: key.key,
      distinctId: draft.head.distinctId,
      pipelineStep: 'fold-groups',
    };
    warn(draft, 'group_upsert_message_size_too_large', details);
  }
  return [...groups.values()].filter(({ isChanged }) => isChanged).map((group) => group.state(now));
}
