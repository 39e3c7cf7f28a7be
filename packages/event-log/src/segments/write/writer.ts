import { lanes, type Lane } from '@millrace/contracts/lanes.ts';
import { delay } from '@millrace/runtime/clock.ts';
import { LogUnavailableError, type AppendRecord } from '../../event-log.ts';
import { FailingLanes } from './failing-lanes.ts';
import { messageOf, namesIn } from '../files/files.ts';
import { LaneWriter } from './lane-writer.ts';
import { lanesAmong, writerFolder } from '../files/layout.ts';
import { HeartbeatWatch } from '../coordination/heartbeat.ts';
import { recoverLane } from './recover-lane.ts';
import { takeLease, type WriterLease } from '../coordination/writer-lease.ts';

export interface WriterOptions {
  dir: string;
  writer: string;
  partitions: number;
  segmentBytes: number;
  /** Time for which the lease of a silent process is respected, because it may be alive. */
  goneAfterMs: number;
  tickMs: number;
}

/** Longest pause between two tries after failures: each failure leaves a lease and segments on disk. */
const pauseMsMax = 30_000;

/** The lease of a process while it is the writer, with the lanes that it has open. */
interface HeldLease {
  lease: WriterLease;
  lanes: Map<Lane, Promise<LaneWriter>>;
}

/**
 * One writer of the log: takes its lease as soon as it is free, sends heartbeats, and stops when another process has taken
 * the lease over (after which it waits for it again).
 */
export class Writer {
  readonly #options: WriterOptions;
  readonly #folder: string;
  readonly #watch: HeartbeatWatch;
  #held: HeldLease | null = null;
  #unhealthyReason: string | null = 'the writer has not started';
  readonly #failing = new FailingLanes();
  #pauseMs = 0;
  #nextTryMs = 0;
  #isClosing = false;
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(options: WriterOptions) {
    this.#options = options;
    this.#folder = writerFolder(options.dir, options.writer);
    this.#watch = new HeartbeatWatch(options.goneAfterMs);
  }

  /** Why it cannot write now, or null. */
  get unhealthyReason(): string | null {
    return this.#unhealthyReason ?? this.#failing.unhealthyReason;
  }

  /** Resolves when the lease is taken, or after `waitMs` without it; then the attempts continue. */
  async start(waitMs: number): Promise<void> {
    const deadlineMs = performance.now() + waitMs;
    await this.#tryLease();
    while (!this.#held && performance.now() < deadlineMs) {
      await delay(Math.min(50, this.#options.tickMs));
      await this.#tryLease();
    }
    this.#running = this.#run();
  }

  async append(lane: Lane, records: readonly AppendRecord[]): Promise<void> {
    const held = this.#held;
    if (!held || this.#isClosing) throw new LogUnavailableError(this.#unhealthyReason ?? 'the event log is closing');
    try {
      const writer = await this.#laneWriter(held, lane);
      await writer.append(records);
      this.#failing.succeeded(lane);
    } catch (error) {
      this.#failing.failed(lane, error);
      throw error;
    }
  }

  /** Begins a new segment in the lanes whose present one is older than that. */
  async rollOlder(sinceMs: number): Promise<void> {
    for (const writer of await Promise.all([...(this.#held?.lanes.values() ?? [])])) await writer.rollIfOlder(sinceMs);
  }

  async close(): Promise<void> {
    this.#isClosing = true;
    this.#stop.abort();
    await this.#running;
    const held = this.#held;
    this.#unhealthyReason = 'the event log is closed';
    if (!held) return;
    await closeLanes(held);
    this.#held = null;
    if (held.lease.isMine()) await held.lease.release();
    else held.lease.abandon();
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await delay(this.#options.tickMs, this.#stop.signal);
      if (this.#stop.signal.aborted) return;
      const held = this.#held;
      if (held?.lease.isMine()) this.#sendHeartbeat(held);
      else if (held) await this.#lose(held);
      else await this.#tryLease();
    }
  }

  #sendHeartbeat(held: HeldLease): void {
    held.lease.beat();
    // An unhealthy log turns senders away, so no append would find out that a lane works again; a failure is counted there.
    for (const lane of this.#failing.lanes()) void this.append(lane, []).catch(() => undefined);
  }

  async #tryLease(): Promise<void> {
    if (performance.now() < this.#nextTryMs) return;
    try {
      const taken = await takeLease(this.#folder, this.#options.partitions, this.#watch);
      if ('heldBy' in taken) this.#unhealthyReason = `writer ${this.#options.writer} is held by ${taken.heldBy}`;
      else await this.#begin(taken);
    } catch (error) {
      this.#pauseMs = Math.min(Math.max(2 * this.#pauseMs, this.#options.tickMs), pauseMsMax);
      this.#nextTryMs = performance.now() + this.#pauseMs;
      this.#unhealthyReason = `writer ${this.#options.writer} cannot start: ${messageOf(error)}`;
    }
  }

  /** All lanes are recovered at once, so that readers learn where the former owner's records end. */
  async #begin(lease: WriterLease): Promise<void> {
    const held: HeldLease = { lease, lanes: new Map() };
    try {
      for (const lane of lanesAmong(await namesIn(this.#folder))) await this.#laneWriter(held, lane);
      lease.settle();
    } catch (error) {
      // Given back, so that the next try finds it free.
      await closeLanes(held).finally(() => lease.release());
      throw error;
    }
    this.#held = held;
    this.#pauseMs = 0;
    this.#unhealthyReason = null;
    this.#failing.clear();
  }

  async #lose(held: HeldLease): Promise<void> {
    this.#held = null;
    this.#unhealthyReason = `writer ${this.#options.writer} was taken over by another process`;
    await closeLanes(held);
    held.lease.abandon();
  }

  #laneWriter(held: HeldLease, lane: Lane): Promise<LaneWriter> {
    const open = held.lanes.get(lane);
    if (open) return open;
    if (!lanes.includes(lane)) throw new RangeError(`no lane ${lane}`);
    const opening = this.#openLane(held.lease, lane);
    held.lanes.set(lane, opening);
    opening.catch(() => held.lanes.delete(lane));
    return opening;
  }

  async #openLane(lease: WriterLease, lane: Lane): Promise<LaneWriter> {
    const { dir, writer, partitions, segmentBytes } = this.#options;
    if (!lease.isMine()) throw new LogUnavailableError('another process writes as this writer now');
    try {
      const open = await recoverLane({ dir, writer, lane, partitions, segmentBytes, lease });
      if (open) return new LaneWriter(lane, open, lease, segmentBytes);
    } catch (error) {
      throw new LogUnavailableError(`cannot open ${lane}: ${messageOf(error)}`, { cause: error });
    }
    throw new LogUnavailableError(`another process has opened ${lane}`);
  }
}

/** Closes all lanes, also after one that cannot be closed. @throws what closing the first such one threw. */
async function closeLanes(held: HeldLease): Promise<void> {
  // Lanes that did not open have nothing to close, and have thrown the error to their callers.
  const opened = (await Promise.allSettled(held.lanes.values())).filter((opening) => opening.status === 'fulfilled');
  const closed = await Promise.allSettled(opened.map(({ value }) => value.close()));
  const failure = closed.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
