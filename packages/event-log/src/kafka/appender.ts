import { LogUnavailableError, OutcomeUnknownError } from '../event-log.ts';
import {
  recordOverheadBytes,
  takeRequest,
  type Append,
  type Part,
  type PartitionQueue,
  type RequestLimits,
} from './append-queue.ts';
import type { Sender } from './sender.ts';

export interface AppenderOptions {
  limits: RequestLimits;
  /** After this an append has an outcome, whatever the broker does. */
  deadlineMs: number;
  /** Records without an outcome may take this much memory; beyond it appends are refused at once. */
  waitingBytesMax: number;
}

const silenceMsMax = 2_000;

/**
 * Gathers appends to requests. One request is under way at a time, with one batch for each partition that had something
 * waiting; what comes meanwhile is sent with the next one. So the load itself sets the size of the requests, which are
 * what costs, and no partition ever has two of them (see `Sender` for why).
 */
export class Appender {
  readonly #sender: Sender;
  readonly #options: AppenderOptions;
  readonly #queues = new Map<string, PartitionQueue>();
  /** Queues with something to send, those that were served longest ago first. */
  readonly #ready = new Set<PartitionQueue>();
  /** Appends of the request under way. */
  #underWay: readonly Part[] = [];
  /**
   * Appends whose caller has no outcome. Only counted: a set of them would cost more (docs/performance.md#capture on
   * sets).
   */
  #unacknowledged = 0;
  #waitingBytes = 0;
  #sentAtMs: number | null = null;
  #respondedAtMs = performance.now();
  #scheduled = false;
  #closed = false;
  #deadlineTimer: NodeJS.Timeout | null = null;
  #whenIdle: (() => void)[] = [];

  constructor(sender: Sender, options: AppenderOptions) {
    this.#sender = sender;
    this.#options = options;
  }

  /** Time of the broker's last confirmation, on the clock of `performance.now`. */
  get respondedAtMs(): number {
    return this.#respondedAtMs;
  }

  /** Resolves when all are in the log. @throws {LogUnavailableError | OutcomeUnknownError} as `EventLog.append`. */
  append(topic: string, records: readonly { partition: number; payload: Buffer }[]): Promise<void> {
    const rejection = this.#errorOf(topic, records);
    if (rejection !== null) return Promise.reject(new LogUnavailableError(rejection));
    if (records.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const append: Append = {
        left: records.length,
        begun: false,
        written: false,
        deadlineMs: performance.now() + this.#options.deadlineMs,
        error: null,
        settle: (error) => (error === null ? resolve() : reject(error)),
      };
      this.#unacknowledged += 1;
      for (const { partition, payload } of records) this.#enqueue(topic, partition, append, payload);
      if (this.#deadlineTimer === null) this.#watchDeadlines(append.deadlineMs);
      this.#schedule();
    });
  }

  /** Why appends do not get through, or null. */
  unhealthyReason(): string | null {
    const silentMs = this.#sentAtMs === null ? 0 : performance.now() - this.#sentAtMs;
    if (silentMs < silenceMsMax) return null;
    return `the broker has not confirmed an append for ${Math.round(silentMs / 1000)} s${this.#sender.failure === null ? '' : ` (${this.#sender.failure})`}`;
  }

  /** Takes nothing more; resolves when all that was taken has its outcome, which the deadline bounds. */
  async close(): Promise<void> {
    this.#closed = true;
    if (this.#unacknowledged > 0) await new Promise<void>((resolve) => this.#whenIdle.push(resolve));
    if (this.#deadlineTimer !== null) clearTimeout(this.#deadlineTimer);
  }

  #errorOf(topic: string, records: readonly { payload: Buffer }[]): string | null {
    if (this.#closed) return 'the event log is closed';
    const { limits, waitingBytesMax } = this.#options;
    let bytes = 0;
    for (const { payload } of records) {
      if (payload.length + recordOverheadBytes > limits.partBytesMax)
        return `a record of ${payload.length} bytes is more than topic ${topic} takes`;
      bytes += payload.length;
    }
    return this.#waitingBytes + bytes > waitingBytesMax
      ? `${this.#waitingBytes} bytes wait for the broker already`
      : null;
  }

  #enqueue(topic: string, partition: number, append: Append, value: Buffer): void {
    const key = `${topic}/${partition}`;
    const queue = this.#queues.get(key) ?? { topic, partition, waiting: [], busy: false };
    this.#queues.set(key, queue);
    queue.waiting.push({ append, value });
    this.#waitingBytes += value.length;
    if (!queue.busy) this.#ready.add(queue);
  }

  /** The appends of one turn of the event loop are sent together. */
  #schedule(): void {
    if (this.#scheduled || this.#sentAtMs !== null || this.#ready.size === 0) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      void this.#send();
    });
  }

  async #send(): Promise<void> {
    const parts = takeRequest(this.#ready, this.#options.limits);
    if (parts.length === 0) return;
    this.#sentAtMs = performance.now();
    this.#underWay = parts;
    for (const { queue, records } of parts) {
      queue.busy = true;
      this.#ready.delete(queue);
      for (const { append } of records) append.begun = true;
    }
    const batches = parts.map(({ queue, records }) => ({
      topic: queue.topic,
      partition: queue.partition,
      values: records.map(({ value }) => value),
    }));
    const outcomes = await this.#sender.send(batches);
    this.#sentAtMs = null;
    this.#underWay = [];
    if (outcomes.includes(null)) this.#respondedAtMs = performance.now();
    parts.forEach((part, index) => this.#settlePart(part, outcomes[index] ?? null));
    this.#schedule();
  }

  #settlePart({ queue, records }: Part, error: Error | null): void {
    queue.busy = false;
    if (queue.waiting.length > 0) this.#ready.add(queue);
    for (const { append, value } of records) {
      this.#waitingBytes -= value.length;
      append.left -= 1;
      if (error === null) append.written = true;
      else append.error ??= error;
      if (append.error !== null) this.#withdraw(append);
      if (append.left === 0) this.#finish(append);
    }
  }

  #finish(append: Append): void {
    const { error } = append;
    if (error === null || !append.written) this.#settle(append, error);
    else this.#settle(append, new OutcomeUnknownError('only a part was written', { cause: error }));
  }

  #settle(append: Append, error: Error | null): void {
    if (append.settle === null) return;
    append.settle(error);
    append.settle = null;
    this.#unacknowledged -= 1;
    if (this.#unacknowledged === 0) for (const wake of this.#whenIdle.splice(0)) wake();
  }

  /** The rest of it is not sent: its caller sends the whole again. */
  #withdraw(append: Append): void {
    for (const queue of this.#queues.values()) {
      const kept = queue.waiting.filter((waiting) => waiting.append !== append);
      if (kept.length === queue.waiting.length) continue;
      for (const waiting of queue.waiting) if (waiting.append === append) this.#waitingBytes -= waiting.value.length;
      append.left -= queue.waiting.length - kept.length;
      queue.waiting = kept;
      if (kept.length === 0) this.#ready.delete(queue);
    }
  }

  /** One timer for all. When it goes off, appends without an outcome are searched in the queues. */
  #watchDeadlines(nextMs: number): void {
    this.#deadlineTimer = setTimeout(
      () => {
        this.#deadlineTimer = null;
        const next = this.#expireUntil(performance.now());
        if (next < Infinity) this.#watchDeadlines(next);
      },
      Math.max(1, nextMs - performance.now()),
    );
  }

  /** Settles the appends whose deadline has come; returns the next deadline, or Infinity. */
  #expireUntil(nowMs: number): number {
    let next = Infinity;
    const records = [
      ...this.#underWay.flatMap((part) => part.records),
      ...[...this.#queues.values()].flatMap(({ waiting }) => waiting),
    ];
    for (const { append } of records) {
      if (append.settle === null) continue;
      if (append.deadlineMs > nowMs) next = Math.min(next, append.deadlineMs);
      else this.#expire(append);
    }
    return next;
  }

  #expire(append: Append): void {
    this.#withdraw(append);
    const late = `the broker did not confirm within ${this.#options.deadlineMs} ms`;
    this.#settle(append, append.begun ? new OutcomeUnknownError(late) : new LogUnavailableError(late));
  }
}
