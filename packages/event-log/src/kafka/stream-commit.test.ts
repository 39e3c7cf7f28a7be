import { expect, test } from '@jest/globals';
import { readCommit, writeCommit } from './stream-commit.ts';

test.each(['', 'm4x'])('a commit comes back as it was, with the history that it belongs to: "%s"', (history) => {
  for (const metadata of ['', 'pending:5-9', '~not~ours']) {
    const commit = { offset: 12n, metadata };
    const kept = writeCommit(commit, history);
    expect(readCommit({ ...kept, offset: String(kept.offset) })).toEqual({ commit, history, wasReset: false });
  }
});

test.each([
  ['-1', false],
  ['-2', true],
])('an offset of %s is no commit', (offset, wasReset) => {
  expect(readCommit({ offset, metadata: null })).toEqual({ commit: null, history: '', wasReset });
});
