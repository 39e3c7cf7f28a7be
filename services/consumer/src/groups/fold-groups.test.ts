import { describe, expect, test } from '@jest/globals';
import { PersonProperties } from '../persons/person.ts';
import { processedDraft } from '../test/drafts.ts';
import { descriptionsOf } from './attach-groups.ts';
import { foldGroups, groupBytesMax } from './fold-groups.ts';
import { groupText, type GroupState } from './group.ts';
import { typeText } from './group-types.ts';

const now = '2026-05-04T12:00:00.000000Z';

function described(set: unknown, time = '10:00:00') {
  const draft = processedDraft(
    { event: '$groupidentify', timestamp: `2026-05-04T${time}.000000Z` },
    JSON.stringify({ $group_type: 'company', $group_key: 'acme', $group_set: set }),
  );
  const [description] = descriptionsOf([draft], new Map([[typeText({ teamId: 7, type: 'company' }), 2]]));
  if (description === undefined) throw new Error('describes no group');
  return description;
}

function known(properties: Record<string, unknown>): Map<string, GroupState> {
  const group = {
    teamId: 7,
    index: 2,
    key: 'acme',
    properties: new PersonProperties(properties),
    createdAt: '2026-05-04T10:00:00.000000Z',
    updatedAt: now,
    version: 4,
  };
  return new Map([[groupText(group), group]]);
}

function folded(...args: Parameters<typeof foldGroups>) {
  return foldGroups(...args).map(({ properties, ...group }) => ({ ...group, properties: { ...properties.values } }));
}

const tiny = described({ n: 0 });

describe('foldGroups (contract/capture 4.5)', () => {
  test('the first description makes the group, also an empty one', () => {
    expect(folded([described({ a: 1 })], new Map(), now)).toEqual([
      {
        teamId: 7,
        index: 2,
        key: 'acme',
        properties: { a: 1 },
        createdAt: '2026-05-04T10:00:00.000000Z',
        updatedAt: now,
        version: 0,
      },
    ]);
    expect(folded([described(undefined)], new Map(), now)).toMatchObject([{ properties: {}, version: 0 }]);
  });

  test('many descriptions of one group are one write, laid over each other and over what was known', () => {
    expect(
      folded([described({ a: 2 }), described({ b: { c: 1 } }), described({ a: 3 })], known({ a: 1, z: 0 }), now),
    ).toMatchObject([{ properties: { a: 3, b: { c: 1 }, z: 0 }, version: 5 }]);
  });

  test('a description without changes writes nothing', () => {
    expect(
      folded([described({ a: { x: 1, y: 2 } }), described({}), described(null)], known({ a: { y: 2, x: 1 } }), now),
    ).toEqual([]);
  });

  test('the earliest event is the creation', () => {
    expect(folded([described({}, '09:00:00')], known({ a: 1 }), now)).toMatchObject([
      { createdAt: '2026-05-04T09:00:00.000000Z', properties: { a: 1 } },
    ]);
  });

  test('what would make it too large is left out, with a warning', () => {
    const large = described({ big: 'x'.repeat(groupBytesMax) });
    expect(folded([large, described({ a: 2 })], known({ a: 1 }), now)).toMatchObject([{ properties: { a: 2 } }]);
    const first = described({ big: '€'.repeat(groupBytesMax / 3) });
    expect(folded([first], new Map(), now).map(({ properties, version }) => [properties, version])).toEqual([[{}, 0]]);
    expect(first.draft.warnings).toHaveLength(1);
    expect(large.draft.warnings).toMatchObject([
      {
        type: 'group_upsert_message_size_too_large',
        details: { groupTypeIndex: 2, groupKey: 'acme', distinctId: 'user-1' },
      },
    ]);
  });

  test('names beyond 5,000 are too many; what has more already may still change those', () => {
    const names = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`n${index}`, 1]));
    const more = described({ more: 1 });
    expect(folded([more], known(names), now)).toEqual([]);
    expect(more.draft.warnings.map(({ type }) => type)).toEqual(['group_upsert_message_size_too_large']);
    expect(folded([described({ n0: 2 })], known({ ...names, more: 1 }), now)[0]?.properties['n0']).toBe(2);
  });

  test("a description costs its own size, not its group's: 50,000 tiny ones of a group of the largest size", () => {
    const large = Object.fromEntries(Array.from({ length: 4_900 }, (_, index) => [`key ${index}`, 'x'.repeat(100)]));
    const counting = { prints: 0 };
    const printed = { toJSON: () => (counting.prints++, 'once') };
    const descriptions = Array.from({ length: 50_000 }, (_, n) => ({ ...tiny, set: { n } }));
    const [group] = foldGroups(descriptions, known({ ...large, printed }), now);
    expect(counting.prints).toBe(1);
    expect(group?.properties.values).toMatchObject({ 'key 0': 'x'.repeat(100), n: 49_999 });
    expect(group?.version).toBe(5);
  });

  test('the size is that of the JSON text to the byte, however it came together', () => {
    const room = groupBytesMax - Buffer.byteLength(JSON.stringify({ ä: 'ü', a: 1, b: { c: [] }, t: '' }));
    const steps = (length: number) => [
      described({ ä: 'x'.repeat(1_000), a: 12 }),
      described({ ä: 'ü', b: { c: [] }, a: 1 }),
      described({ t: 'x'.repeat(length) }),
    ];
    expect(folded(steps(room), new Map(), now)[0]?.properties).toHaveProperty('t');
    expect(folded(steps(room + 1), new Map(), now)[0]?.properties).not.toHaveProperty('t');
  });
});
