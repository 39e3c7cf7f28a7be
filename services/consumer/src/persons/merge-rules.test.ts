import { describe, expect, test } from '@jest/globals';
import { decideMerge, type MergeDecision, type MergeSide } from './merge-rules.ts';
import type { MergeRequest } from '../events/person-update.ts';

const none: MergeSide = null;
const person = (name: string, isIdentified = false): MergeSide => ({ person: name, isIdentified });
const known = (name: string): MergeSide => person(name, true);

function decide(
  kind: MergeRequest['kind'],
  own: MergeSide,
  other: MergeSide,
  ids = { own: 'ann', other: 'visitor' },
): MergeDecision {
  return decideMerge({ kind, ...ids }, own, other);
}

const kinds = ['identify', 'alias', 'dangerously'] as const;

describe('contract/capture 4.4, in order', () => {
  test.each(
    kinds.flatMap((kind) =>
      [
        'guest',
        'GUEST',
        ' "null" ',
        '0',
        '',
        '[object Object]',
        'NaN',
        "'undefined'",
        '00000000-0000-0000-0000-000000000000',
      ].map((id) => [kind, id]),
    ),
  )('1. %s with the illegal id %j is refused, whichever of the two it is and whatever exists', (kind, id) => {
    const request = kind as MergeRequest['kind'];
    expect(decide(request, person('a'), person('b'), { own: 'ann', other: id })).toEqual({
      action: 'refuse-illegal',
      illegal: 'other',
    });
    expect(decide(request, none, none, { own: id, other: 'ann' })).toEqual({
      action: 'refuse-illegal',
      illegal: 'own',
    });
  });

  test.each(kinds)('2. %s of an id with itself does nothing', (kind) => {
    const same = { own: 'ann', other: 'ann' };
    expect(decide(kind, person('a'), person('a'), same)).toEqual({ action: 'nothing' });
    expect(decide(kind, none, none, same)).toEqual({ action: 'nothing' });
  });

  test.each(kinds)('3. %s where neither exists creates one person who holds both', (kind) => {
    expect(decide(kind, none, none)).toEqual({ action: 'create' });
  });

  test.each(kinds)('4. %s where one exists adds the other id to it, identified or not', (kind) => {
    for (const one of [person('a'), known('a')]) {
      expect(decide(kind, one, none)).toEqual({ action: 'add', missing: 'other' });
      expect(decide(kind, none, one)).toEqual({ action: 'add', missing: 'own' });
    }
  });

  test.each(kinds)('5. %s of two ids of one person only identifies it', (kind) => {
    expect(decide(kind, person('a'), person('a'))).toEqual({ action: 'identify' });
    expect(decide(kind, known('a'), known('a'))).toEqual({ action: 'identify' });
  });

  test.each<
    [
      kind: MergeRequest['kind'],
      own: string,
      other: string,
      ownSide: MergeSide,
      otherSide: MergeSide,
      expected: MergeDecision,
    ]
  >([
    ['identify', 'not identified', 'not identified', person('a'), person('b'), { action: 'merge', source: 'other' }],
    ['identify', 'identified', 'not identified', known('a'), person('b'), { action: 'merge', source: 'other' }],
    [
      'identify',
      'not identified',
      'identified',
      person('a'),
      known('b'),
      { action: 'refuse-identified', source: 'other' },
    ],
    ['identify', 'identified', 'identified', known('a'), known('b'), { action: 'refuse-identified', source: 'other' }],
    // The symmetric table: the alias's person survives, but an identified one is never swallowed.
    ['alias', 'not identified', 'not identified', person('a'), person('b'), { action: 'merge', source: 'own' }],
    ['alias', 'not identified', 'identified', person('a'), known('b'), { action: 'merge', source: 'own' }],
    ['alias', 'identified', 'not identified', known('a'), person('b'), { action: 'merge', source: 'other' }],
    ['alias', 'identified', 'identified', known('a'), known('b'), { action: 'refuse-identified', source: 'own' }],
    // Without looking at who is identified.
    ['dangerously', 'not identified', 'not identified', person('a'), person('b'), { action: 'merge', source: 'other' }],
    ['dangerously', 'identified', 'identified', known('a'), known('b'), { action: 'merge', source: 'other' }],
    ['dangerously', 'not identified', 'identified', person('a'), known('b'), { action: 'merge', source: 'other' }],
  ])(
    '6. %s: the person of the distinct id is %s, that of the other id %s',
    (kind, _own, _other, ownSide, otherSide, expected) => {
      expect(decide(kind, ownSide, otherSide)).toEqual(expected);
    },
  );
});
