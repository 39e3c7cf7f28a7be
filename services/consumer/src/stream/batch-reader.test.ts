import { describe, expect, test } from '@jest/globals';
import { encodeBundle } from '@millrace/captured-event/event-bundle.ts';
import type { AssignedStream, LogRecord, PayloadMemory } from '@millrace/event-log/event-log.ts';
import { testEntry } from '../test/drafts.ts';
import { createBatchReader, waitForMs } from './batch-reader.ts';
import { PayloadPool } from './payload-arena.ts';
import type { Retry } from './retry.ts';

const limits = { rowsMax: 100, bytesMax: 1000, lingerMs: 100, intervalMs: 750 };
const some = { rows: 5, bytes: 50, firstAtMs: 10_000, lastTakenAtMs: -Infinity };

describe('waitForMs: batches grow with the load, and a lone event is visible soon', () => {
  test.each([
    ['a lone event waits only the linger', some, 10_000, 100],
    ['then it goes', some, 10_100, 0],
    ['in a busy stream batches are an interval apart', { ...some, lastTakenAtMs: 9_900 }, 10_100, 550],
    ['but not longer', { ...some, lastTakenAtMs: 9_900 }, 10_650, 0],
    ['a full batch goes at once: rows', { ...some, rows: 100, lastTakenAtMs: 9_999 }, 10_000, 0],
    ['a full batch goes at once: bytes', { ...some, bytes: 1000, lastTakenAtMs: 9_999 }, 10_000, 0],
  ])('%s', (_name, gathered, nowMs, expected) => {
    expect(waitForMs(gathered, limits, nowMs)).toBe(expected);
  });
});

/** A stream whose reads are answered by hand, each with records of one event whose uuid ends so. */
function createReader(limits: { rowsMax: number; bytesMax: number }) {
  const stopping = new AbortController();
  const requested: { from: bigint; respond: (...numbers: number[]) => Promise<void> }[] = [];
  const read: AssignedStream['read'] = (from, { memory }) =>
    new Promise((resolve) => {
      const keep = (payload: Buffer): Buffer => (memory as PayloadMemory).keep(payload);
      const records = (numbers: readonly number[]): LogRecord[] =>
        numbers.map((number, index) => ({
          offset: from + BigInt(index),
          appendedAtMs: 0,
          payload: keep(payloadOf(number)),
        }));
      requested.push({
        from,
        respond: async (...numbers) => {
          resolve(records(numbers));
          await settled();
        },
      });
      stopping.signal.addEventListener('abort', () => resolve([]));
    });
  const once: Retry = (_, work) => work(0, () => undefined);
  const reader = createBatchReader(
    { read } as AssignedStream,
    0n,
    { ...limits, lingerMs: 0, intervalMs: 0 },
    { clock: { nowMs: () => 0 }, retry: once, signal: stopping.signal, payloads: new PayloadPool(8 * 1024 * 1024) },
  );
  return { reader, requested, stop: async () => (stopping.abort(), await reader.ended) };
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const payloadOf = (number: number): Buffer =>
  encodeBundle([testEntry({ uuid: `0190f3a0-0000-4000-8000-${String(number).padStart(12, '0')}` })]);

describe('the reader of batches', () => {
  test('records that came while others were taken keep their bytes until they are released', async () => {
    const { reader, requested, stop } = createReader({ rowsMax: 100, bytesMax: 1_000_000 });
    await requested[0]?.respond(1);
    const first = reader.take();
    first.release();
    // This read was under way when the first batch was taken, and wrote into its memory.
    await requested[1]?.respond(2);
    await requested[2]?.respond(3);
    const second = reader.take();
    await requested[3]?.respond(4);
    expect(second.records.map(({ payload }) => Buffer.from(payload))).toEqual([payloadOf(2), payloadOf(3)]);
    second.release();
    await stop();
  });

  test.each([
    ['rows', { rowsMax: 2, bytesMax: 1_000_000 }],
    ['bytes', { rowsMax: 100, bytesMax: 2 * payloadOf(0).length }],
  ])('it reads one batch ahead, no more, and continues when that is taken: bounded by %s', async (_name, limits) => {
    const { reader, requested, stop } = createReader(limits);
    await requested[0]?.respond(1, 2);
    expect([await reader.ready(), requested.length]).toEqual([true, 1]);
    expect(reader.take().records.map(({ offset }) => offset)).toEqual([0n, 1n]);
    await settled();
    expect(requested.map(({ from }) => from)).toEqual([0n, 2n]);
    await stop();
  });
});
