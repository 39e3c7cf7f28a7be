import { bundleHeaderBytes, entryOverheadBytes, type EntryDraft } from '@millrace/captured-event/event-bundle.ts';
import type { Lane } from '@millrace/contracts/lanes.ts';
import {
  addEntries,
  keepMemory,
  takeLoad,
  withdraw,
  type Bundle,
  type PartitionQueue,
  type Share,
  type Submission,
} from './bundle-queue.ts';
import { LogUnavailableError, OutcomeUnknownError, type EventLog } from './event-log.ts';

export interface BundlerOptions {
  /** Entries that are not on disk yet may take this much memory; beyond it appends are refused at once. */
  maxInFlightBytes?: number;
  /** After this the caller gets an outcome, whatever the log does. */
  deadlineMs?: number;
  /** About the most bytes that one append writes to a partition. */
  appendBytesMax?: number;
}

interface BundlerStats {
  bytesInFlight: number;
  /** Entries that wait for the append before theirs. */
  entriesWaiting: number;
  /** Appends whose outcome the log has not reported. */
  appendsUnderWay: number;
}

/** Gathers entries to bundles in front of any event log. */
export interface Bundler {
  /**
   * Appends entries to a partition, in order and after all that was given for it before. `settle` is called once, with
   * the outcome: null when all of them are on disk; a `LogUnavailableError` when none was written nor will be (too
   * much in flight, the log took nothing, or the deadline came before it was the entries' turn); an
   * `OutcomeUnknownError` when some may have been, or (after the deadline) may still be. Not a promise, because one
   * request has entries for many partitions. The bytes that the entries point to are not read again.
   */
  append(lane: Lane, partition: number, entries: readonly EntryDraft[], settle: (error: Error | null) => void): void;
  stats(): BundlerStats;
  /** Takes nothing more; resolves when the log has reported the outcome of all that was taken. */
  close(): Promise<void>;
}

/**
 * At rest an append is sent in the turn of the event loop in which it came, or the next; while it is under way, what
 * comes for the same partition waits and is sent together. Under load all partitions wait for each other as long as
 * turns bring more: what an append costs beside its bytes is then shared by more requests. So the load itself sets the
 * size of the bundles, and nothing waits for a timer.
 */
export function createBundler(log: EventLog, options: BundlerOptions = {}): Bundler {
  return new SelfClockingBundler(log, options);
}

/** Appends are gathered over at most this many turns of the event loop (docs/performance.md#capture). */
const gatheringTurnsMax = 4;

/**
 * A timer that is later than this shows a pause of the process; replies that came meanwhile have as long to be handled.
 */
const pauseMs = 100;

class SelfClockingBundler implements Bundler {
  readonly #log: EventLog;
  readonly #maxInFlightBytes: number;
  readonly #deadlineMs: number;
  readonly #appendBytesMax: number;
  readonly #queues = new Map<Lane, PartitionQueue[]>();
  /** Queues that are sent together soon. */
  #leaving: PartitionQueue[] = [];
  /** Appends taken so far. */
  #appends = 0;
  #deadlineTimer: NodeJS.Timeout | null = null;
  readonly #stats: BundlerStats = { bytesInFlight: 0, entriesWaiting: 0, appendsUnderWay: 0 };
  #closed = false;
  #whenIdle: (() => void)[] = [];

  constructor(log: EventLog, options: BundlerOptions) {
    this.#log = log;
    this.#maxInFlightBytes = options.maxInFlightBytes ?? 64 * 1024 * 1024;
    this.#deadlineMs = options.deadlineMs ?? 1000;
    this.#appendBytesMax = options.appendBytesMax ?? 2 * 1024 * 1024;
  }

  append(lane: Lane, partition: number, entries: readonly EntryDraft[], settle: (error: Error | null) => void): void {
    let bytes = 0;
    // Characters of heads are counted for bytes: near enough for a bound of memory.
    for (const { head, start, end } of entries) bytes += entryOverheadBytes + head.length + end - start;
    if (this.#closed) return settle(new LogUnavailableError('the bundler is closed'));
    if (this.#stats.bytesInFlight + bytes > this.#maxInFlightBytes) {
      return settle(new LogUnavailableError(`${this.#stats.bytesInFlight} bytes wait for the event log already`));
    }
    if (entries.length === 0) return settle(null);
    const queue = this.#queueOf(lane, partition);
    const submission: Submission = {
      left: 0,
      begun: false,
      durable: false,
      deadlineMs: performance.now() + this.#deadlineMs,
      settle,
    };
    const before = bytesWaiting(queue);
    addEntries(queue, submission, entries);
    this.#appends += 1;
    this.#stats.bytesInFlight += bytesWaiting(queue) - before;
    this.#stats.entriesWaiting += entries.length;
    if (this.#deadlineTimer === null) this.#watchDeadlines(submission.deadlineMs);
    this.#schedule(queue);
  }

  stats(): BundlerStats {
    return { ...this.#stats };
  }

  async close(): Promise<void> {
    this.#closed = true;
    if (!this.#isIdle()) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
    if (this.#deadlineTimer) clearTimeout(this.#deadlineTimer);
  }

  #isIdle(): boolean {
    return this.#stats.appendsUnderWay === 0 && this.#stats.entriesWaiting === 0;
  }

  #queueOf(lane: Lane, partition: number): PartitionQueue {
    const ofLane = this.#queues.get(lane) ?? [];
    this.#queues.set(lane, ofLane);
    return (ofLane[partition] ??= { lane, partition, waiting: [], underWay: [], isBusy: false, spare: null });
  }

  /** Sends all queues that have something to send together. */
  #schedule(queue: PartitionQueue): void {
    if (queue.isBusy) return;
    queue.isBusy = true;
    if (this.#leaving.push(queue) === 1) this.#gather(1);
  }

  /** Waits up to 4 turns of the event loop while appends keep arriving, then sends. */
  #gather(turn: number): void {
    const before = this.#appends;
    setImmediate(() => {
      if (turn < gatheringTurnsMax && this.#appends > before) return this.#gather(turn + 1);
      for (const queue of this.#leaving.splice(0)) void this.#drain(queue);
    });
  }

  async #drain(queue: PartitionQueue): Promise<void> {
    if (queue.waiting.length > 0) await this.#sendWaiting(queue);
    queue.isBusy = false;
    if (queue.waiting.length > 0) this.#schedule(queue);
    else if (this.#isIdle()) for (const wake of this.#whenIdle.splice(0)) wake();
  }

  async #sendWaiting(queue: PartitionQueue): Promise<void> {
    const load = takeLoad(queue.waiting, this.#appendBytesMax);
    queue.underWay = load;
    for (const { writer, shares } of load) {
      this.#stats.entriesWaiting -= writer.count;
      for (const { submission } of shares) submission.begun = true;
    }
    this.#stats.appendsUnderWay += 1;
    const error = await this.#send(queue, load);
    this.#stats.appendsUnderWay -= 1;
    queue.underWay = [];
    for (const bundle of load) {
      for (const share of bundle.shares) this.#settle(queue, share, error);
      // After a failure the log may still read it.
      if (error === null) keepMemory(queue, bundle);
    }
  }

  async #send({ lane, partition }: PartitionQueue, load: readonly Bundle[]): Promise<Error | null> {
    try {
      await this.#log.append(
        lane,
        load.map(({ writer }) => ({ partition, payload: writer.payload() })),
      );
      return null;
    } catch (error) {
      if (error instanceof LogUnavailableError) return error;
      return new OutcomeUnknownError(`the event log did not confirm ${lane}/${partition}`, { cause: error });
    }
  }

  #settle(queue: PartitionQueue, share: Share, error: Error | null): void {
    const { submission } = share;
    this.#stats.bytesInFlight -= share.to - share.from;
    submission.left -= 1;
    if (error === null) {
      submission.durable = true;
      if (submission.left === 0) settle(submission, null);
      return;
    }
    // The rest of it is not sent: its caller sends the whole again.
    this.#withdraw(queue, submission);
    settle(
      submission,
      submission.durable ? new OutcomeUnknownError('only a part was written', { cause: error }) : error,
    );
  }

  #withdraw(queue: PartitionQueue, submission: Submission): void {
    for (const { from, to, entries } of withdraw(queue, submission)) {
      this.#stats.bytesInFlight -= to - from;
      this.#stats.entriesWaiting -= entries;
    }
  }

  /**
   * One timer for all. When it goes off, appends without an outcome are searched in the queues: a list
   * of them, to which each request adds and takes from, would cost more (docs/performance.md#capture on sets).
   * When it goes off late it was the process that paused, and timers come first: the log's replies are handled before appends time out.
   */
  #watchDeadlines(nextMs: number, isAgain = false): void {
    this.#deadlineTimer = setTimeout(
      () => {
        this.#deadlineTimer = null;
        const nowMs = performance.now();
        if (!isAgain && nowMs - nextMs > pauseMs) return this.#watchDeadlines(nowMs + pauseMs, true);
        const next = this.#expire(nowMs);
        if (next < Infinity) this.#watchDeadlines(next);
      },
      Math.max(1, nextMs - performance.now()),
    );
  }

  /** Settles the appends whose deadline has come; returns the next deadline, or Infinity. */
  #expire(nowMs: number): number {
    const late = `the event log did not respond within ${this.#deadlineMs} ms`;
    let next = Infinity;
    for (const queue of [...this.#queues.values()].flat()) {
      for (const { submission } of [...queue.underWay, ...queue.waiting].flatMap(({ shares }) => shares)) {
        if (submission.settle === null) continue;
        if (submission.deadlineMs > nowMs) next = Math.min(next, submission.deadlineMs);
        else if (submission.begun) settle(submission, new OutcomeUnknownError(late));
        else {
          this.#withdraw(queue, submission);
          settle(submission, new LogUnavailableError(late));
        }
      }
    }
    return next;
  }
}

function settle(submission: Submission, error: Error | null): void {
  submission.settle?.(error);
  submission.settle = null;
}

function bytesWaiting({ waiting }: PartitionQueue): number {
  let bytes = 0;
  for (const { writer } of waiting) bytes += writer.length - bundleHeaderBytes;
  return bytes;
}
