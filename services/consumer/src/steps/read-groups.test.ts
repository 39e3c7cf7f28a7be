import { describe, expect, test } from '@jest/globals';
import { testDraft } from '../test/drafts.ts';
import { readGroups } from './read-groups.ts';

function read(body: string, head = {}, profile: 'full' | 'anonymous' = 'full') {
  const draft = testDraft(head, body);
  draft.profile = profile;
  const outcome = readGroups(draft);
  return { outcome, groups: draft.groups, groupSet: draft.groupSet, warnings: draft.warnings.map(({ type }) => type) };
}

describe('readGroups (contract/capture 4.5)', () => {
  test.each([
    [
      'text and numbers are keys',
      '{"$groups":{"company":"acme","team":5,"big":12345678901234567890,"zero":0}}',
      [
        ['company', 'acme'],
        ['team', '5'],
        ['big', '12345678901234567890'],
        ['zero', '0'],
      ],
    ],
    ['nothing else is', '{"$groups":{"a":null,"b":"","c":{},"d":[1],"e":true,"":"f"}}', []],
    ['what is no object names none', '{"$groups":["company"]}', []],
    ['a key of 400 characters fits', `{"$groups":{"company":"${'😀'.repeat(400)}"}}`, [['company', '😀'.repeat(400)]]],
  ])('%s', (_name, body, expected) => {
    expect(read(body)).toMatchObject({ groups: expected.map(([type, key]) => ({ type, key })), warnings: [] });
  });

  test('an anonymous event belongs to no group', () => {
    expect(read('{"$groups":{"company":"acme"}}', {}, 'anonymous').groups).toEqual([]);
  });

  test('a name that is too long is left out of an event with a warning', () => {
    expect(read(`{"$groups":{"${'t'.repeat(401)}":"x","company":"${'k'.repeat(401)}","team":"y"}}`)).toEqual({
      outcome: { kind: 'ok' },
      groups: [{ type: 'team', key: 'y' }],
      groupSet: null,
      warnings: ['group_type_too_long', 'group_key_too_long'],
    });
  });

  test('the first 20 groups of an event are read, with those that are too long and without those that name nothing', () => {
    const groups = {
      long: 'k'.repeat(401),
      none: null,
      ...Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`type ${index}`, 'x'])),
    };
    const { groups: found, warnings } = read(JSON.stringify({ $groups: groups }));
    expect(found.map(({ type }) => type)).toEqual(Array.from({ length: 19 }, (_, index) => `type ${index}`));
    expect(warnings).toEqual(['group_key_too_long']);
  });

  test.each([
    ['an object is laid over', '"$group_set":{"a":1}', { a: 1 }, []],
    [
      'a number beyond the range of a double is kept as its text: Postgres would refuse it',
      '"$group_set":{"a":1e999}',
      { a: '1e999' },
      [],
    ],
    ['missing: nothing is set', '"x":1', {}, []],
    ['null: nothing is set', '"$group_set":null', {}, []],
    ['what is no object leaves the group alone, with a warning', '"$group_set":"a"', null, ['invalid_group_set']],
  ])('$group_set: %s', (_name, member, set, warnings) => {
    const { groupSet, ...rest } = read(`{"$group_type":"company","$group_key":7,${member}}`, {
      event: '$groupidentify',
    });
    expect(rest).toMatchObject({ outcome: { kind: 'ok' }, warnings });
    expect(groupSet).toEqual(set === null ? null : { type: 'company', key: '7', set });
  });

  test.each([
    '{"$group_type":"company"}',
    '{"$group_key":"x"}',
    '{"$group_type":"company","$group_key":""}',
    '{"$group_type":"company","$group_key":0}',
    '{"$group_type":{},"$group_key":"x"}',
  ])('without a type and a key it is an ordinary event: %s', (body) => {
    expect(read(body, { event: '$groupidentify' })).toMatchObject({
      outcome: { kind: 'ok' },
      groupSet: null,
      warnings: [],
    });
  });

  test('a group whose name is too long costs its event', () => {
    expect(
      read(`{"$group_type":"company","$group_key":"${'k'.repeat(401)}"}`, { event: '$groupidentify' }),
    ).toMatchObject({
      outcome: { kind: 'drop', reason: 'group_too_long' },
      warnings: ['group_key_too_long'],
    });
  });
});
