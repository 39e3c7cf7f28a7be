import { describe, expect, test } from '@jest/globals';
import type { EventDraft } from '../events/event-draft.ts';
import { processedDraft } from '../test/drafts.ts';
import { attachGroups, descriptionsOf, typesOf } from './attach-groups.ts';
import { typeText } from './group-types.ts';

const names = ['company', 'team', 'plan', 'country', 'shop'];
const indexes = new Map(names.map((type, index) => [typeText({ teamId: 7, type }), index]));

function draftOf(groups: Record<string, unknown>, more: object = {}): EventDraft {
  return processedDraft(
    'event' in more ? { event: '$groupidentify' } : {},
    JSON.stringify({ $groups: groups, ...more }),
  );
}

describe('attachGroups (contract/capture 4.5)', () => {
  test('five groups are attached', () => {
    const draft = draftOf(Object.fromEntries(names.map((name, index) => [name, `key ${index}`])));
    attachGroups(draft, indexes);
    expect(draft.groupKeys).toEqual(['key 0', 'key 1', 'key 2', 'key 3', 'key 4']);
    expect(draft.properties.get('$group_4')).toBe('key 4');
    expect(draft.warnings).toEqual([]);
  });

  test('the first type above the limit gets a warning, once for each event', () => {
    const draft = draftOf(
      { sixth: 'a', company: 'acme', seventh: 'b' },
      { event: '$groupidentify', $group_type: 'eighth', $group_key: 'c' },
    );
    attachGroups(draft, indexes);
    expect(descriptionsOf([draft], indexes)).toEqual([]);
    expect(draft.groupKeys).toEqual(['acme']);
    expect(draft.warnings).toMatchObject([
      {
        type: 'group_type_limit_exceeded',
        details: { groupType: 'sixth', groupKey: 'a', pipelineStep: 'attach-groups' },
      },
    ]);
  });

  test('100 events of 2,000 own types each look up at most 2,000 and leave 100 warnings', () => {
    const drafts = Array.from({ length: 100 }, (_, event) =>
      draftOf(Object.fromEntries(Array.from({ length: 2_000 }, (_, type) => [`${event}:${type}`, 'x']))),
    );
    expect(typesOf(drafts).length).toBeLessThanOrEqual(2_000);
    for (const draft of drafts) attachGroups(draft, indexes);
    expect(drafts.flatMap(({ warnings }) => warnings.map(({ type }) => type))).toEqual(
      drafts.map(() => 'group_type_limit_exceeded'),
    );
  });
});
