import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { createRetry } from '../stream/retry.ts';
import { entryRange, processedDraft, testEntry, testProject } from '../test/drafts.ts';
import { leavingOf } from './batch-leaving.ts';
import { createProjectShares } from './project-shares.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('a log that is away for long while events leave: it is named as what is waited for, and nobody is taken for stuck', async () => {
  const reported = new Set<string>();
  const retry = createRetry({
    signal: new AbortController().signal,
    onHealthChange: (engine) => reported.add(engine),
    onSlow: (engine) => reported.add(`${engine} slow`),
    onStuck: (engine) => reported.add(`${engine} stuck`),
    isFinal: () => false,
  });
  const endMs = Date.now() + 400_000;
  const whenBack = <T>(value: T): Promise<T> =>
    Date.now() < endMs ? Promise.reject(new Error('away')) : Promise.resolve(value);
  const shares = createProjectShares({ perSecond: 1, burst: 10 });
  const batch = {
    stream: { lane: 'main', partition: 0, writer: 'w' } as const,
    records: [],
    token: 't',
    again: false,
    moves: null,
    recordMoves: (_: unknown, onTry?: () => void) => retry('event-log', () => (onTry?.(), whenBack(undefined))),
  };
  const outputs = {
    insert: () => Promise.resolve(),
    keepDeadLetters: () => Promise.resolve(),
    moveToOverflow: () => whenBack(true),
  };
  const leaving = leavingOf(
    batch,
    { shares, parts: { areMany: () => false }, retry, outputs, failpoint: () => undefined },
    () => undefined,
  );
  const draft = { ...processedDraft({}, '{}'), project: testProject, position: entryRange(testEntry(), 1n) };
  leaving.charge(draft, 100_000);
  expect(leaving.leaves(draft, false)).toBe(true);
  const settled = retry('postgres', (_, onSign) => leaving.settle([draft], false, onSign));
  await jest.advanceTimersByTimeAsync(500_000);
  await expect(settled).resolves.toBe(true);
  expect([...reported]).toEqual(['event-log']);
});

// An event that left is not stored by its batch: taken for stored, it would be dropped as a duplicate when `overflow` is read, and lost.
describe('events that left are doubted', () => {
  const draft = { ...processedDraft({}, '{}'), project: testProject, position: entryRange(testEntry(), 1n) };
  const retry = createRetry({
    signal: new AbortController().signal,
    onHealthChange: () => undefined,
    onSlow: () => undefined,
    onStuck: () => undefined,
    isFinal: () => false,
  });

  function leavingWith(isTaken: boolean): {
    appended: () => number;
    doubted: unknown[];
    leaving: ReturnType<typeof leavingOf>;
  } {
    const doubted: unknown[] = [];
    let appended = 0;
    const moves = new Map([[testProject.id, { offset: 1n, index: 0 }]]);
    const batch = {
      stream: { lane: 'main', partition: 0, writer: 'w' } as const,
      records: [],
      token: 't',
      again: true,
      moves,
      recordMoves: () => Promise.resolve(),
    };
    const outputs = {
      insert: () => Promise.resolve(),
      keepDeadLetters: () => Promise.resolve(),
      moveToOverflow: () => Promise.resolve((appended += 1) > 0 && isTaken),
    };
    const context = { shares: null, parts: { areMany: () => false }, retry, outputs, failpoint: () => undefined };
    return { appended: () => appended, doubted, leaving: leavingOf(batch, context, (left) => void doubted.push(left)) };
  }

  test('by the batch that appends them to overflow', async () => {
    const { appended, doubted, leaving } = leavingWith(true);
    expect(await leaving.settle([draft], false)).toBe(true);
    expect([appended(), doubted]).toEqual([1, [draft]]);
  });

  test('by a batch that is done again after one that appended them and wrote its persons', async () => {
    const { appended, doubted, leaving } = leavingWith(true);
    expect(await leaving.settle([draft], true)).toBe(true);
    expect([appended(), doubted]).toEqual([0, [draft]]);
  });

  test('and not those that must stay, because the log takes none', async () => {
    const { doubted, leaving } = leavingWith(false);
    expect(await leaving.settle([draft], false)).toBe(false);
    expect(doubted).toEqual([]);
  });
});
