import { expect, test } from '@jest/globals';
import { AddedMembers } from './added-members.ts';

const valuesOf = (members: AddedMembers): unknown[] => members.all.map(({ name, value }) => [name, value]);

test('events that get the same members share one list; an event with other members has its own', () => {
  const one = AddedMembers.none.with('$ip', '1.2.3.4').with('$sent_at', 'now');
  expect(AddedMembers.none.with('$ip', '1.2.3.4').with('$sent_at', 'now')).toBe(one);
  const other = AddedMembers.none.with('$ip', '1.2.3.4').with('$sent_at', 'later');
  expect([one, other].map(valuesOf)).toEqual([
    [
      ['$ip', '1.2.3.4'],
      ['$sent_at', 'now'],
    ],
    [
      ['$ip', '1.2.3.4'],
      ['$sent_at', 'later'],
    ],
  ]);
  expect([one.text.toString(), other.text.toString()]).toEqual([
    ',"$ip":"1.2.3.4","$sent_at":"now"}',
    ',"$ip":"1.2.3.4","$sent_at":"later"}',
  ]);
  expect(AddedMembers.none.all).toEqual([]);
});

test('what is too long for the map is in the text alone', () => {
  const members = AddedMembers.none.with('a', 'é'.repeat(5_000)).with('b', 'c');
  expect(members.entries).toEqual({ count: 1, bytes: Buffer.from('\x01b\0\x01c') });
  expect(members.text.toString()).toBe(`,"a":"${'é'.repeat(5_000)}","b":"c"}`);
  expect([members.find('b')?.value, members.find('c')]).toEqual(['c', undefined]);
});

test('the shape tells names, their order and the kinds of their values apart, and nothing else', () => {
  const none = AddedMembers.none;
  const shape = (...members: [string, unknown][]): number =>
    members.reduce((list, [name, value]) => list.with(name, value), none).shape;
  expect(shape(['$ip', '1.2.3.4'])).toBe(shape(['$ip', '5.6.7.8']));
  const different = [
    shape(),
    shape(['$ip', '1.2.3.4']),
    shape(['$sent_at', 'x']),
    shape(['$ip', 'x'], ['$sent_at', 'x']),
    shape(['$sent_at', 'x'], ['$ip', 'x']),
    ...['2026-05-04', 1, true, null, [], {}].map((value) => shape(['$ip', value])),
  ];
  expect(new Set(different).size).toBe(different.length);
});
