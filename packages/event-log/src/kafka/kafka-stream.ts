import { withTimeout } from '@millrace/runtime/with-timeout.ts';
import type { Batch, Consumer } from 'kafkajs';
import {
  LogUnavailableError,
  OffsetGoneError,
  StreamRevokedError,
  type AssignedStream,
  type Commit,
  type LogRecord,
  type StreamId,
} from '../event-log.ts';
import type { CommitQueue } from './commit-queue.ts';
import { describeError } from './errors.ts';
import { RecordWindow } from './record-window.ts';
import { writeCommit } from './stream-commit.ts';
import type { TopicOffsets } from './topic-offsets.ts';

/** Longest metadata, in bytes: what the broker takes. */
const metadataBytesMax = 4_000;
/** More than this is not fetched ahead of its reader (beside what one fetch brings along). */
const windowBytesMax = 1_000_000;
const responseMsMax = 5_000;

/** The part of a subscription that a stream needs. */
export interface StreamContext {
  topic: string;
  consumer: Consumer;
  offsets: TopicOffsets;
  commits: CommitQueue;
  /** Why nothing is read, or null. */
  silence: () => string | null;
  /** History of its commits (see `stream-commit.ts`). */
  history: string;
  /** True when the log certainly ends before that offset, or kafkajs found that it does. */
  isCut: (offset: bigint) => Promise<boolean>;
  /** Called with the offset read so far when the log has lost its end under the reader: only a new beginning repairs that. */
  onCut: (read: bigint) => void;
}

/** A partition while it is this subscriber's. kafkajs pushes what it fetches; this turns it into something to read from. */
export class KafkaStream implements AssignedStream {
  readonly id: StreamId;
  readonly logEpoch: string;
  readonly committed: Commit | null;
  readonly #context: StreamContext;
  readonly #revoking = new AbortController();
  readonly #revocation = Promise.withResolvers<null>();
  readonly #window = new RecordWindow();
  #paused = true;
  #ended = false;
  #isSuspect = false;
  #end = 0n;
  #wake: (() => void) | null = null;

  constructor(id: StreamId, logEpoch: string, committed: Commit | null, context: StreamContext) {
    this.id = id;
    this.logEpoch = logEpoch;
    this.committed = committed;
    this.#context = context;
  }

  get revoked(): AbortSignal {
    return this.#revoking.signal;
  }

  async read(from: bigint, { maxBytes, waitMs }: { maxBytes: number; waitMs: number }): Promise<LogRecord[]> {
    const beganMs = performance.now();
    if (!this.#window.reaches(from)) await this.#reposition(from);
    // Records that exist are only fetched; the reader's wait is for those that do not exist yet.
    const deadlineMs =
      from < this.#end ? Math.max(beganMs + waitMs, performance.now() + responseMsMax) : beganMs + waitMs;
    for (;;) {
      if (this.revoked.aborted) return [];
      if (!this.#window.reaches(from)) {
        await this.#reposition(from);
        continue;
      }
      const records = this.#window.take(from, maxBytes);
      if (this.#window.bytes < windowBytesMax / 2) this.#resume();
      const leftMs = deadlineMs - performance.now();
      if (records.length > 0) return records;
      if (leftMs <= 0) return this.#nothing();
      await this.#arrival(leftMs);
    }
  }

  commit(commit: Commit): Promise<void> {
    if (this.#ended) return Promise.reject(new StreamRevokedError(`${this.#name()} is no longer this subscriber's`));
    if (Buffer.byteLength(commit.metadata) > metadataBytesMax)
      return Promise.reject(new RangeError(`metadata of a commit takes at most ${metadataBytesMax} bytes`));
    return this.#context.commits.commit(
      { topic: this.#context.topic, partition: this.id.partition },
      writeCommit(commit, this.#context.history),
    );
  }

  /** End of the partition at the last response of the broker. */
  async end(): Promise<bigint> {
    try {
      this.#saw(
        (
          await withTimeout(
            this.#context.offsets.of(this.#context.topic, this.id.partition),
            responseMsMax,
            () => new Error('no response'),
          )
        ).high,
      );
    } catch (error) {
      if (this.#end === 0n)
        throw new LogUnavailableError(`cannot ask how far ${this.#name()} reaches: ${describeError(error)}`, {
          cause: error,
        });
    }
    return this.#end;
  }

  /** Takes what was fetched. */
  add(batch: Batch): void {
    if (this.#window.isBehind(BigInt(batch.firstOffset() ?? batch.highWatermark))) return this.#suspect();
    this.#saw(BigInt(batch.highWatermark));
    this.#window.add(
      batch.messages.map(({ offset, timestamp, value }) => ({
        offset: BigInt(offset),
        appendedAtMs: Number(timestamp),
        // A copy: the fetched one is a view into the whole reply, which it would keep in memory.
        payload: Buffer.from(value ?? ''),
      })),
    );
    this.#wake?.();
  }

  /** Pauses fetching while the reader is behind. */
  pauseWhenFull(): void {
    if (this.#window.bytes < windowBytesMax || this.#paused) return;
    this.#paused = true;
    this.#context.consumer.pause([this.#position()]);
  }

  /** The handler is stopped; it may still commit what it has finished. */
  revoke(): void {
    this.#revoking.abort();
    this.#revocation.resolve(null);
    this.#wake?.();
  }

  /** The handler has returned: the partition may go to another member. */
  finish(): void {
    this.#ended = true;
  }

  /**
   * The fetched records are before the expected offset: they are of another fetch, or the log has lost its end and
   * kafkajs began anew.
   */
  #suspect(): void {
    this.#isSuspect = true;
    this.#window.forget();
    this.#wake?.();
  }

  async #checkEnd(from: bigint, end: bigint): Promise<void> {
    if (from <= end && !this.#isSuspect) return;
    this.#isSuspect = false;
    if (!(await this.#fetch(this.#context.isCut(from)))) return;
    this.revoke();
    this.#context.onCut(from);
  }

  #fetch<T>(request: Promise<T>): Promise<T> {
    return withTimeout(request, responseMsMax, () => new Error('no response')).catch((error: unknown) => {
      throw new LogUnavailableError(`cannot read ${this.#name()}: ${describeError(error)}`, { cause: error });
    });
  }

  /** Continues fetching at another offset. */
  async #reposition(from: bigint): Promise<void> {
    const { offsets, consumer, topic } = this.#context;
    const bounds = await Promise.race([this.#fetch(offsets.of(topic, this.id.partition)), this.#revocation.promise]);
    if (bounds === null || this.revoked.aborted) return;
    await this.#checkEnd(from, bounds.high);
    if (this.revoked.aborted) return;
    if (from > 0n && from < bounds.low)
      throw new OffsetGoneError(`${this.#name()} begins at ${bounds.low}; ${from} was removed`);
    this.#saw(bounds.high);
    this.#window.restart(from);
    consumer.seek({ topic, partition: this.id.partition, offset: String(from > bounds.low ? from : bounds.low) });
    this.#resume();
  }

  #resume(): void {
    if (!this.#paused || this.revoked.aborted) return;
    this.#paused = false;
    this.#context.consumer.resume([this.#position()]);
  }

  #nothing(): LogRecord[] {
    const silence = this.#context.silence();
    if (silence !== null) throw new LogUnavailableError(`cannot read ${this.#name()}: ${silence}`);
    return [];
  }

  #arrival(waitMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.#wake = null;
        resolve();
      };
      const timer = setTimeout(done, waitMs);
      this.#wake = done;
    });
  }

  #saw(end: bigint): void {
    if (end > this.#end) this.#end = end;
  }

  #position(): { topic: string; partitions: number[] } {
    return { topic: this.#context.topic, partitions: [this.id.partition] };
  }

  #name(): string {
    return `${this.id.lane}/${this.id.partition}`;
  }
}
