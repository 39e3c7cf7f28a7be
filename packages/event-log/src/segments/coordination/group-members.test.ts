import { expect, test } from '@jest/globals';
import { shareOf, type LiveMember } from './group-members.ts';

const members: LiveMember[] = [
  { id: 'a', lanes: ['main', 'overflow'] },
  { id: 'b', lanes: ['main'] },
  { id: 'c', lanes: ['main', 'overflow'] },
];
const shares = (lane: 'main' | 'overflow' | 'historical'): (string | null)[] =>
  [0, 1, 2, 3].map((partition) => shareOf(members, lane, partition));

test('every partition of a lane has one reader among its members, in turn; lanes without members have none', () => {
  expect(shares('main')).toEqual(['a', 'b', 'c', 'a']);
  expect(shares('overflow')).toEqual(['a', 'c', 'a', 'c']);
  expect(shares('historical')).toEqual([null, null, null, null]);
});
