import { expect, test } from '@jest/globals';
import { OffsetGoneError, type AssignedStream } from '@millrace/event-log/event-log.ts';
import { pastRetention, type Gap } from './past-retention.ts';

/** A stream of which retention has left the records `kept`. */
function streamOf(kept: readonly bigint[]): AssignedStream {
  const records = kept.map((offset) => ({ offset, appendedAtMs: 0, payload: Buffer.alloc(0) }));
  return {
    id: { lane: 'main', partition: 0, writer: '' },
    logEpoch: 'log',
    committed: null,
    revoked: new AbortController().signal,
    read: (from) => {
      if (from > 0n && from < (kept[0] ?? 100n)) return Promise.reject(new OffsetGoneError('gone'));
      return Promise.resolve(records.filter(({ offset }) => offset >= from));
    },
    commit: () => Promise.resolve(),
    end: () => Promise.resolve(0n),
  };
}

const offsetsOf = async (stream: AssignedStream, from: bigint): Promise<bigint[]> =>
  (await stream.read(from, { maxBytes: 1, waitMs: 0 })).map(({ offset }) => offset);

test('reading continues at the first record that exists, and reports the loss', async () => {
  const gaps: Gap[] = [];
  const stream = pastRetention(streamOf([7n, 8n]), (gap) => gaps.push(gap));
  expect(await offsetsOf(stream, 3n)).toEqual([7n, 8n]);
  expect(gaps).toEqual([{ from: 3n, next: 7n }]);
  expect(await offsetsOf(stream, 8n)).toEqual([8n]);
  expect(await offsetsOf(stream, 5n)).toEqual([7n, 8n]);
  expect(gaps).toHaveLength(1);
});

test('when no record exists any more it waits, and reports the loss when its size is known', async () => {
  const gaps: Gap[] = [];
  expect(
    await offsetsOf(
      pastRetention(streamOf([]), (gap) => gaps.push(gap)),
      3n,
    ),
  ).toEqual([]);
  expect(gaps).toEqual([]);
});

test('another fault is not touched', async () => {
  const broken: AssignedStream = { ...streamOf([]), read: () => Promise.reject(new Error('away')) };
  await expect(pastRetention(broken, () => undefined).read(1n, { maxBytes: 1, waitMs: 0 })).rejects.toThrow('away');
});
