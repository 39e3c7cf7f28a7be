import { excerpt, warn, type EventDraft, type NamedGroup } from '../events/event-draft.ts';
import type { GroupDescription } from './fold-groups.ts';
import { typeText, type GroupTypeKey } from './group-types.ts';

/** The group types that these events name, each once, in the order in which they come. */
export function typesOf(drafts: readonly EventDraft[]): GroupTypeKey[] {
  const types = new Map<string, GroupTypeKey>();
  for (const { project, groups, groupSet } of drafts) {
    for (const { type } of groupSet === null ? groups : [...groups, groupSet]) {
      const key = { teamId: project.id, type };
      types.set(typeText(key), key);
    }
  }
  return [...types.values()];
}

/**
 * Writes the keys of an event's groups where its row and its properties show them: `$group_0` to `$group_4`
 * (contract/capture 4.5). A type beyond the project's five is left out, with a warning for the first one of an event.
 */
export function attachGroups(draft: EventDraft, indexes: ReadonlyMap<string, number>): void {
  if (draft.groups.length === 0) return;
  const keys: string[] = [];
  for (const group of draft.groups) {
    const index = indexOf(draft, group, indexes);
    if (index === null) continue;
    keys[index] = group.key;
    draft.properties.replace(`$group_${index}`, group.key);
  }
  draft.groupKeys = keys;
}

/** Group descriptions of these events. */
export function descriptionsOf(
  drafts: readonly EventDraft[],
  indexes: ReadonlyMap<string, number>,
): GroupDescription[] {
  return drafts.flatMap((draft): GroupDescription[] => {
    if (draft.groupSet === null) return [];
    const { key, set } = draft.groupSet;
    const index = indexOf(draft, draft.groupSet, indexes);
    return index === null ? [] : [{ draft, teamId: draft.project.id, index, key, set }];
  });
}

function indexOf(draft: EventDraft, { type, key }: NamedGroup, indexes: ReadonlyMap<string, number>): number | null {
  const index = indexes.get(typeText({ teamId: draft.project.id, type }));
  if (index !== undefined) return index;
  const isWarned = draft.warnings.some((warning) => warning.type === 'group_type_limit_exceeded');
  if (!isWarned)
    warn(draft, 'group_type_limit_exceeded', {
      groupType: excerpt(type),
      groupKey: excerpt(key),
      pipelineStep: 'attach-groups',
    });
  return null;
}
