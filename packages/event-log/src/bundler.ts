import { joinBundles, type BundleEntry } from '@millrace/contracts/event-bundle.ts';
import type { Lane } from '@millrace/contracts/lanes.ts';
import { bundlesOf, entriesWaiting, entryBytes, takeLoad, type Share, type Submission } from './bundle-queue.ts';
import { LogUnavailableError, OutcomeUnknownError, type EventLog } from './event-log.ts';

export interface BundlerOptions {
  /** Entries that are not on disk yet may take this much memory; beyond it appends are refused at once. */
  maxInFlightBytes?: number;
  /** After this the caller gets an answer, whatever the log does. */
  deadlineMs?: number;
  /** One append of a partition takes about this much along. */
  appendBytesMax?: number;
}

interface BundlerStats {
  bytesInFlight: number;
  /** Entries that wait for the append before theirs. */
  entriesWaiting: number;
  /** Appends that the log has not answered. */
  appendsUnderWay: number;
}

interface PartitionQueue {
  lane: Lane;
  partition: number;
  waiting: Submission[];
  underWay: boolean;
}

/** Gathers entries to bundles in front of any event log. */
export interface Bundler {
  /**
   * Appends entries to a partition, in order and behind all that was given for it before. Resolves when all of them
   * are on disk.
   * @throws {LogUnavailableError} when none was written nor will be: too much in flight, the log took nothing, or the
   *   deadline came before it was the entries' turn.
   * @throws {OutcomeUnknownError} when some may have been, or (after the deadline) may still be.
   */
  append(lane: Lane, partition: number, entries: readonly BundleEntry[]): Promise<void>;
  stats(): BundlerStats;
  /** Takes nothing more; resolves when the log has answered for all that was taken. */
  close(): Promise<void>;
}

/**
 * At rest an append leaves in the turn of the event loop in which it came; while it is under way, what comes for the
 * same partition waits and leaves together. So the load itself sets the size of the bundles, and nothing waits for a
 * timer: at 64 requests at once a synced write carries 62 of them.
 */
export function createBundler(log: EventLog, options: BundlerOptions = {}): Bundler {
  return new SelfClockingBundler(log, options);
}

class SelfClockingBundler implements Bundler {
  readonly #log: EventLog;
  readonly #maxInFlightBytes: number;
  readonly #deadlineMs: number;
  readonly #appendBytesMax: number;
  readonly #queues = new Map<string, PartitionQueue>();
  /** Submissions without an answer and the queue of each, in the order of their deadlines. */
  readonly #unanswered = new Map<Submission, PartitionQueue>();
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

  append(lane: Lane, partition: number, entries: readonly BundleEntry[]): Promise<void> {
    let bytes = 0;
    for (const entry of entries) bytes += entryBytes(entry);
    if (this.#closed) return Promise.reject(new LogUnavailableError('the bundler is closed'));
    if (this.#stats.bytesInFlight + bytes > this.#maxInFlightBytes) {
      return Promise.reject(new LogUnavailableError(`${this.#stats.bytesInFlight} bytes wait for the event log already`));
    }
    if (entries.length === 0) return Promise.resolve();
    // No function in here sees `entries`: nothing of them need stay in memory.
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const settle = (error: Error | null): void => (error ? reject(error) : resolve());
    const deadlineMs = performance.now() + this.#deadlineMs;
    this.#take(lane, partition, { bundles: bundlesOf(entries, bytes), bytes, taken: 0, durable: 0, deadlineMs, settle });
    return promise;
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

  #take(lane: Lane, partition: number, submission: Submission): void {
    const key = `${lane}/${partition}`;
    const queue = this.#queues.get(key) ?? { lane, partition, waiting: [], underWay: false };
    this.#queues.set(key, queue);
    queue.waiting.push(submission);
    this.#stats.bytesInFlight += submission.bytes;
    this.#stats.entriesWaiting += entriesWaiting(submission);
    this.#unanswered.set(submission, queue);
    this.#watchDeadlines();
    if (!queue.underWay) {
      queue.underWay = true;
      // The requests of one turn of the event loop leave together.
      setImmediate(() => void this.#drain(queue));
    }
  }

  async #drain(queue: PartitionQueue): Promise<void> {
    while (queue.waiting.length > 0) {
      const load = takeLoad(queue.waiting, this.#appendBytesMax);
      queue.waiting = queue.waiting.filter(({ taken, bundles }) => taken < bundles.length);
      this.#stats.entriesWaiting -= load.entries;
      this.#stats.appendsUnderWay += 1;
      const error = await this.#send(queue, load.bundles);
      this.#stats.appendsUnderWay -= 1;
      for (const share of load.shares) this.#answer(queue, share, error);
    }
    queue.underWay = false;
    if (this.#isIdle()) for (const wake of this.#whenIdle.splice(0)) wake();
  }

  async #send({ lane, partition }: PartitionQueue, bundles: Buffer[][]): Promise<Error | null> {
    try {
      await this.#log.append(lane, bundles.map((bundle) => ({ partition, payload: joinBundles(bundle) })));
      return null;
    } catch (error) {
      if (error instanceof LogUnavailableError) return error;
      return new OutcomeUnknownError(`the event log did not confirm ${lane}/${partition}`, { cause: error });
    }
  }

  #answer(queue: PartitionQueue, { submission, bundles }: Share, error: Error | null): void {
    if (!error) {
      submission.durable += bundles;
      if (submission.durable === submission.bundles.length) this.#finish(submission, null);
      return;
    }
    // What is left of it is not sent: its caller sends the whole again.
    this.#withdraw(queue, submission);
    this.#finish(submission, submission.durable > 0 ? new OutcomeUnknownError('only a part was written', { cause: error }) : error);
  }

  #withdraw(queue: PartitionQueue, submission: Submission): void {
    const at = queue.waiting.indexOf(submission);
    if (at === -1) return;
    queue.waiting.splice(at, 1);
    this.#stats.entriesWaiting -= entriesWaiting(submission);
  }

  /** The memory is free; the caller, unless the deadline was first, gets its answer. */
  #finish(submission: Submission, error: Error | null): void {
    this.#stats.bytesInFlight -= submission.bytes;
    submission.bundles = [];
    this.#settle(submission, error);
  }

  #settle(submission: Submission, error: Error | null): void {
    submission.settle?.(error);
    submission.settle = null;
    this.#unanswered.delete(submission);
  }

  /** One timer for all: it goes off at the deadline that was next when it was set. */
  #watchDeadlines(): void {
    if (this.#deadlineTimer) return;
    const [first] = this.#unanswered.keys();
    if (!first) return;
    this.#deadlineTimer = setTimeout(() => {
      this.#deadlineTimer = null;
      const now = performance.now();
      for (const [submission, queue] of this.#unanswered) {
        if (submission.deadlineMs > now) break;
        this.#expire(submission, queue);
      }
      this.#watchDeadlines();
    }, Math.max(1, first.deadlineMs - performance.now()));
  }

  #expire(submission: Submission, queue: PartitionQueue): void {
    const late = `the event log did not answer within ${this.#deadlineMs} ms`;
    if (submission.taken === 0) {
      this.#withdraw(queue, submission);
      this.#finish(submission, new LogUnavailableError(late));
    } else this.#settle(submission, new OutcomeUnknownError(late));
  }
}
