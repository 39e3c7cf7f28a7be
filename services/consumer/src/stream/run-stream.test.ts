import { setImmediate } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { OffsetGoneError, type AssignedStream, type Commit, type LogRecord } from '@millrace/event-log/event-log.ts';
import { pastRetention, type Gap } from './past-retention.ts';
import { PayloadPool } from './payload-arena.ts';
import { encodePendingRange } from './pending-range.ts';
import { createRetry, StreamStoppedError } from './retry.ts';
import { runStream } from './run-stream.ts';
import { BatchTooLargeError } from './batch-too-large-error.ts';

const record = (offset: bigint): LogRecord => ({ offset, appendedAtMs: 0, payload: Buffer.alloc(16) });

/** Runs a stream that holds records `from` to `to` and was committed so, until all of it is done. */
async function run(
  kept: { from: bigint; to: bigint },
  committed: Commit,
  { recordsMax = Infinity, stopsInTurn = false } = {},
) {
  const stopping = new AbortController();
  let strange = 0;
  const gaps: Gap[] = [];
  const batches: { first: bigint; last: bigint; again: boolean; token: string }[] = [];
  const commits: Commit[] = [];
  const all = Array.from({ length: Number(kept.to - kept.from) + 1 }, (_, index) => record(kept.from + BigInt(index)));
  const stream: AssignedStream = {
    id: { lane: 'main', partition: 3, writer: 'w' },
    logEpoch: 'log',
    committed,
    revoked: stopping.signal,
    read: async (from) => {
      if (from > 0n && from < kept.from) throw new OffsetGoneError('gone');
      if (from > kept.to) await setImmediate();
      return all.filter(({ offset }) => offset >= from);
    },
    commit: (commit) => {
      commits.push(commit);
      if (commit.offset > kept.to) stopping.abort();
      return Promise.resolve();
    },
    end: () => Promise.resolve(kept.to + 1n),
  };
  const { signal } = stopping;
  await runStream(
    pastRetention(stream, (gap) => gaps.push(gap)),
    {
      limits: { rowsMax: 100, bytesMax: 1_000, lingerMs: 0, intervalMs: 0 },
      mayBegin: () => Promise.resolve(),
      schedule: (work) => {
        // A stream that waits for a slot may have to leave meanwhile.
        if (stopsInTurn) stopping.abort();
        return work((wait) => wait());
      },
      retry: createRetry({
        signal,
        onHealthChange: () => undefined,
        isFinal: (error) => error instanceof StreamStoppedError || error instanceof BatchTooLargeError,
      }),
      clock: { nowMs: () => performance.now() },
      payloads: new PayloadPool(0),
      signal,
      process: ({ records, again, token }) => {
        if (records.length > recordsMax) return Promise.reject(new BatchTooLargeError('too large'));
        batches.push({ first: records[0]?.offset ?? -1n, last: records.at(-1)?.offset ?? -1n, again, token });
        return Promise.resolve({ entries: 0, rows: 0, dropped: {}, deadLetters: 0, moved: 0, requested: 0 });
      },
      onBegin: () => undefined,
      onBatch: () => undefined,
      onReader: () => undefined,
      onStrangeMetadata: () => void strange++,
      failpoint: () => undefined,
    },
  );
  return { gaps, batches, commits, strange, last: commits.at(-1) };
}

const pending = (first: bigint, last: bigint): Commit => ({
  offset: first,
  metadata: encodePendingRange({ first, last }),
});

describe('a batch that a crash left half done', () => {
  test('is repeated first, with the same records under the same token; then reading continues after it', async () => {
    const { gaps, batches, last } = await run({ from: 1n, to: 9n }, pending(3n, 6n));
    expect(batches).toEqual([
      { first: 3n, last: 6n, again: true, token: 'log:main:3:w:3-6' },
      { first: 7n, last: 9n, again: false, token: 'log:main:3:w:7-9' },
    ]);
    expect([gaps, last]).toEqual([[], { offset: 10n, metadata: '' }]);
  });

  test('of which retention has removed a part: the rest is repeated, under a token of its own, and the loss is reported once', async () => {
    const { gaps, batches } = await run({ from: 5n, to: 9n }, pending(3n, 6n));
    expect(batches).toMatchObject([
      { first: 5n, last: 6n, again: true, token: 'log:main:3:w:5-6' },
      { first: 7n, last: 9n, again: false },
    ]);
    expect(gaps).toEqual([{ from: 3n, next: 5n }]);
  });

  test('of which nothing is left: reading continues at the oldest record that exists', async () => {
    const { gaps, batches, last } = await run({ from: 8n, to: 9n }, pending(3n, 6n));
    expect(batches).toMatchObject([{ first: 8n, last: 9n, again: false }]);
    expect([gaps, last]).toEqual([[{ from: 3n, next: 8n }], { offset: 10n, metadata: '' }]);
  });
});

test('a stream whose next record retention has removed continues at the oldest that exists, and reports the loss', async () => {
  const { gaps, batches } = await run({ from: 8n, to: 9n }, { offset: 4n, metadata: '' });
  expect(batches).toMatchObject([{ first: 8n, last: 9n, again: false }]);
  expect(gaps).toEqual([{ from: 4n, next: 8n }]);
});

test('a batch whose persons are too large is divided: each part has its own token, and is pending before it has an effect', async () => {
  const { batches, commits } = await run({ from: 1n, to: 5n }, { offset: 1n, metadata: '' }, { recordsMax: 2 });
  expect(batches.map(({ token }) => token)).toEqual(['log:main:3:w:1-2', 'log:main:3:w:3-3', 'log:main:3:w:4-5']);
  expect(batches.every(({ again }) => again)).toBe(true);
  expect(commits.map(({ metadata }) => metadata)).toEqual([
    'pending:1-5',
    'pending:1-2',
    'pending:3-5',
    'pending:3-3',
    'pending:4-5',
    '',
  ]);
  expect(commits.map(({ offset }) => offset)).toEqual([1n, 1n, 3n, 3n, 4n, 6n]);
});

test('a commit of another release, of which only the offset can be read, is reported; the work continues there', async () => {
  const { batches, strange } = await run({ from: 1n, to: 3n }, { offset: 2n, metadata: 'of tomorrow' });
  expect([batches, strange]).toMatchObject([[{ first: 2n, last: 3n, again: false }], 1]);
});

test('no batch is begun when the stream must be left: nothing is committed, and the next owner has all of it', async () => {
  const { batches, commits } = await run({ from: 1n, to: 3n }, { offset: 1n, metadata: '' }, { stopsInTurn: true });
  expect([batches, commits]).toEqual([[], []]);
});
