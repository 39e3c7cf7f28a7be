import type { WithoutSlot } from './lane-scheduler.ts';
import type { AssignedStream, LogRecord } from '@millrace/event-log/event-log.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Moves } from './moves.ts';
import { createBatchReader, type BatchLimits, type BatchReader } from './batch-reader.ts';
import type { PayloadPool } from './payload-arena.ts';
import { decodePendingRange, encodePendingRange, PendingRangeError, type PendingRange } from './pending-range.ts';
import { readRange } from './read-range.ts';
import { StreamStoppedError, type Retry } from './retry.ts';
import { uniqueStreamName } from './stream-name.ts';
import type { Batch, Failpoint } from './batch.ts';
import { BatchTooLargeError } from './batch-too-large-error.ts';

/** `Report`: what became of a batch. */
export interface StreamContext<Report> {
  limits: BatchLimits;
  /** Runs a batch when it gets a slot of the scheduler. */
  schedule: <T>(work: (withoutSlot: WithoutSlot) => Promise<T>) => Promise<T>;
  retry: Retry;
  /** Memory of the payloads of batches. */
  payloads: PayloadPool;
  clock: Clock;
  /** Aborts when the stream must be left: the batch under way is finished if nothing is in its way, no other is begun. */
  signal: AbortSignal;
  /** Resolves when a batch may be begun, or when the stream must be left. */
  mayBegin: () => Promise<void>;
  process: (batch: Batch) => Promise<Report>;
  /** The records of a batch are about to be worked on; `onBatch` follows, unless the stream must be left. */
  onBegin: (records: readonly LogRecord[]) => void;
  onBatch: (report: Report, range: PendingRange, startedMs: number) => void;
  onReader: (reader: BatchReader) => void;
  onStrangeMetadata: (error: PendingRangeError) => void;
  failpoint: (point: Failpoint) => void;
}

/**
 * Works through one stream until `signal` aborts.
 *
 * A batch's range is committed as pending before the batch has any effect; the commit that begins the next batch, or that
 * follows when nothing is waiting, ends it. So at every moment the log knows what may be half done, and the next owner of
 * the stream begins by doing exactly that again.
 * @throws {StreamStoppedError} or {StreamRevokedError} when it had to leave a batch unfinished.
 */
export async function runStream<Report>(stream: AssignedStream, context: StreamContext<Report>): Promise<void> {
  const { schedule, retry, signal, clock, payloads } = context;
  const left = new AbortController();
  let next = stream.committed?.offset ?? 0n;
  /** The commit lags behind the finished work. */
  let unsaid = false;

  const commit = (offset: bigint, pending: PendingRange | null, onTry = (): void => undefined): Promise<void> =>
    retry('event-log', () => (onTry(), stream.commit({ offset, metadata: encodePendingRange(pending) })));

  const work = async (
    records: readonly LogRecord[],
    range: PendingRange,
    again: boolean,
    withoutSlot: WithoutSlot,
  ): Promise<void> => {
    const startedMs = clock.nowMs();
    context.onBegin(records);
    let { moves = null } = range;
    const recordMoves = async (decided: Moves, onTry?: () => void): Promise<void> => {
      moves = decided;
      await commit(range.first, { ...range, moves }, onTry);
    };
    const report = await undivided(() =>
      context.process({
        stream: stream.id,
        records,
        token: tokenOf(stream, range),
        again,
        moves,
        recordMoves,
        withoutSlot,
        signal,
      }),
    );
    if (report === null) return await workOnHalves(records, moves, withoutSlot);
    context.onBatch(report, range, startedMs);
    next = range.last + 1n;
    unsaid = true;
  };

  /** Each half is a batch of its own, under its own token; as one that may have had effects, for a try before may have had some. */
  const workOnHalves = async (
    records: readonly LogRecord[],
    moves: Moves | null,
    withoutSlot: WithoutSlot,
  ): Promise<void> => {
    const middle = records.length >> 1;
    for (const half of [records.slice(0, middle), records.slice(middle)]) {
      if (signal.aborted) throw new StreamStoppedError('the stream was given up');
      const range = { ...rangeOf(half), ...(moves === null ? {} : { moves }) };
      await commit(range.first, range);
      await work(half, range, true, withoutSlot);
    }
  };

  const pending = pendingOf(stream, context);
  if (pending !== null) {
    const records = await readRange(stream, pending, retry, signal);
    // Fewer than were begun, or none, when retention has removed some since: those are lost (see `pastRetention`).
    if (records.length > 0) {
      await schedule((withoutSlot) => {
        if (signal.aborted) throw new StreamStoppedError('the stream was given up');
        return work(records, { ...pending, ...rangeOf(records) }, true, withoutSlot);
      });
    }
    next = pending.last + 1n;
  }
  const reader = createBatchReader(stream, next, context.limits, {
    clock,
    retry,
    payloads,
    signal: AbortSignal.any([signal, left.signal]),
  });
  context.onReader(reader);
  try {
    for (;;) {
      if (unsaid && !reader.hasRecords()) {
        await commit(next, null);
        unsaid = false;
      }
      if (!(await reader.ready())) break;
      await context.mayBegin();
      await schedule(async (withoutSlot) => {
        if (signal.aborted) return;
        const { records, release } = reader.take();
        const range = rangeOf(records);
        await commit(range.first, range);
        context.failpoint('pending-committed');
        await work(records, range, false, withoutSlot);
        // After success nothing uses them any more. After a failure something still may.
        release();
      });
    }
    if (unsaid) await commit(next, null);
  } finally {
    left.abort();
    await reader.ended;
  }
}

/** Null when the batch's persons, or all that would be written, are too large to be worked on together. */
async function undivided<Report>(work: () => Promise<Report>): Promise<Report | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof BatchTooLargeError)) throw error;
    return null;
  }
}

function pendingOf(
  { committed }: AssignedStream,
  { onStrangeMetadata }: Pick<StreamContext<unknown>, 'onStrangeMetadata'>,
): PendingRange | null {
  try {
    return committed === null ? null : decodePendingRange(committed.metadata);
  } catch (error) {
    if (!(error instanceof PendingRangeError)) throw error;
    // The pending range is lost, but not the protection against duplicates: ClickHouse is queried for the first events
    // of a stream anyway.
    onStrangeMetadata(error);
    return null;
  }
}

function rangeOf(records: readonly LogRecord[]): PendingRange {
  const [first, last] = [records[0], records.at(-1)];
  if (first === undefined || last === undefined) throw new Error('a batch without records');
  return { first: first.offset, last: last.offset };
}

/** Includes the log epoch, because ClickHouse may still know the tokens of an earlier log. */
function tokenOf(stream: AssignedStream, { first, last }: PendingRange): string {
  return `${uniqueStreamName(stream)}:${first}-${last}`;
}
