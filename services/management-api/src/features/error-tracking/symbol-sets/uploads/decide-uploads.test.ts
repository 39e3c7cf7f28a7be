import { describe, expect, test } from '@jest/globals';
import { decideUploads } from './decide-uploads.ts';
import type { Offer } from './upload-request.ts';

// The table of contract/orgs-errors 4.3, line by line.

const stored = (contentHash: string | null, releaseId: string | null = null) => ({ contentHash, releaseId });
const offer = (contentHash: string | null, releaseId: string | null = null) => ({
  ref: 'a',
  contentHash,
  releaseId,
  contentLength: null,
});

type Line = [
  known: ReturnType<typeof stored> | null,
  offered: ReturnType<typeof offer>,
  conflicts: Offer['conflicts'],
  outcome: string,
];

describe('a set that is offered', () => {
  test.each<Line>([
    [null, offer(null), 'refuse', 'upload'],
    [null, offer('h', 'r1'), 'replace', 'upload'],
    [stored(null), offer(null), 'refuse', 'upload'],
    [stored(null), offer('h'), 'keep', 'upload'],
    [stored('h'), offer(null), 'refuse', 'content_hash_required'],
    [stored('h'), offer(null), 'replace', 'content_hash_required'],
    [stored('h'), offer(null), 'keep', 'content_hash_required'],
    [stored('h'), offer('h'), 'refuse', ''],
    [stored('h'), offer('h'), 'replace', ''],
    [stored('h'), offer('h2'), 'replace', 'upload'],
    [stored('h'), offer('h2'), 'keep', ''],
    [stored('h'), offer('h2'), 'refuse', 'content_hash_mismatch'],
    [stored('h'), offer('h', 'r1'), 'refuse', 'bind'],
    [stored('h'), offer('h2', 'r1'), 'keep', 'bind'],
    [stored(null), offer('h', 'r1'), 'refuse', 'upload bind'],
    [stored('h', 'r1'), offer('h', 'r1'), 'refuse', ''],
    [stored('h', 'r1'), offer('h'), 'refuse', ''],
    [stored('h', 'r1'), offer('h', 'r2'), 'replace', 'release_id_mismatch'],
    [stored(null, 'r1'), offer('h', 'r2'), 'keep', 'release_id_mismatch'],
    [stored('h', 'r1'), offer('h2', 'r2'), 'refuse', 'release_id_mismatch'],
    [stored('h', 'r1'), offer(null, 'r2'), 'refuse', 'release_id_mismatch'],
  ])('%j and %j, conflicts: %s → %s', (known, offered, conflicts, outcome) => {
    const decide = () => {
      const { upload, bind } = decideUploads({ sets: [offered], conflicts }, new Map(known ? [['a', known]] : []));
      return [...upload.map(() => 'upload'), ...bind.map(() => 'bind')].join(' ');
    };
    if (outcome.includes('_')) expect(decide).toThrow(expect.objectContaining({ code: outcome }));
    else expect(decide()).toBe(outcome);
  });

  test('the first 20 that are refused are named', () => {
    const sets = Array.from({ length: 25 }, (_, at) => ({ ...offer('h2'), ref: `c${at}` }));
    const known = new Map(sets.map(({ ref }) => [ref, stored('h')]));
    expect(() => decideUploads({ sets, conflicts: 'refuse' }, known)).toThrow(/"c0", .*"c19" and 5 more/);
  });
});
