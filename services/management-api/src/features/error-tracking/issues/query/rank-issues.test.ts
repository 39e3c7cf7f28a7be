import { expect, test } from '@jest/globals';
import { asFingerprints, ofMergedIssues, rankIssues } from './rank-issues.ts';

const met = (id: string, ...fingerprints: string[]) =>
  fingerprints.map((fingerprint) => ({ fingerprint, issue: { id, firstSeenAt: new Date(0), severity: null } }));

test('events of the fingerprints of an issue add up; of its persons the count is given', () => {
  const all = [...met('one', 'a', 'b'), ...met('two', 'c')];
  const values = new Map([
    ['a', 2],
    ['b', 2],
    ['c', 3],
  ]);
  expect(rankIssues(all, values, { by: 'occurrences', descending: true })).toEqual(['one', 'two']);
  expect(rankIssues(all, values, { by: 'last_seen', descending: true })).toEqual(['two', 'one']);
  expect(ofMergedIssues(all).map(({ fingerprint }) => fingerprint)).toEqual(['a', 'b']);
  expect(rankIssues(all, values, { by: 'users', descending: true }, new Map([['one', 2]]))).toEqual(['two', 'one']);
});

test('of issues with more fingerprints than are counted each has its turn', () => {
  const many = Array.from({ length: 3_000 }, (_, index) => `m${index}`);
  const counted = asFingerprints([...met('many', ...many), ...met('few', 'f0', 'f1')]);
  expect(counted).toHaveLength(2_500);
  expect(counted.filter(({ issueId }) => issueId === 'few')).toHaveLength(2);
});
