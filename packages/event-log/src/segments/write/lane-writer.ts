import type { Lane } from '@millrace/contracts/lanes.ts';
import { LogUnavailableError, OutcomeUnknownError, type AppendRecord } from '../../event-log.ts';
import { messageOf, writeDurably } from '../files/files.ts';
import { frameHeaderBytes, payloadBytesMax, writeFrame } from '../files/frame.ts';
import type { OpenLane } from './recover-lane.ts';
import { createSegment, finishSegment } from '../files/segment-file.ts';
import { segmentHeaderBytes } from '../files/segment-header.ts';
import type { WriterLease } from '../coordination/writer-lease.ts';

interface Waiting {
  records: readonly AppendRecord[];
  bytes: number;
  resolve: () => void;
  reject: (error: Error) => void;
}

/** Most bytes of one write; a single append may be larger. */
const flushBytesMax = 4 * 1024 * 1024;

/**
 * Appends to one lane of one writer. All partitions share a file, so whatever came while the last write was under way
 * goes to disk with one synced write: on the machine this was made on, 130 µs of CPU and 0.24 ms a write, against
 * 870 µs and 0.95 ms for a write and fdatasync in each of 8 files.
 */
export class LaneWriter {
  readonly #lane: Lane;
  readonly #state: OpenLane;
  readonly #lease: WriterLease;
  readonly #segmentBytes: number;
  #waiting: Waiting[] = [];
  #buffer = Buffer.alloc(0);
  #flushing: Promise<void> | null = null;
  /** After a failed write the file may hold part of it: the next record goes to a new segment. */
  #torn = false;
  #lastAppendMs = Date.now();

  constructor(lane: Lane, state: OpenLane, lease: WriterLease, segmentBytes: number) {
    this.#lane = lane;
    this.#state = state;
    this.#lease = lease;
    this.#segmentBytes = segmentBytes;
  }

  /** Resolves when the records are on disk and readable. */
  append(records: readonly AppendRecord[]): Promise<void> {
    let bytes = 0;
    for (const { partition, payload } of records) {
      if (!(partition >= 0 && partition < this.#state.next.length)) throw new RangeError(`no partition ${partition}`);
      if (payload.length > payloadBytesMax) throw new RangeError(`record of ${payload.length} bytes`);
      bytes += frameHeaderBytes + payload.length;
    }
    return new Promise((resolve, reject) => {
      this.#waiting.push({ records, bytes, resolve, reject });
      this.#flushing ??= this.#flushAll();
    });
  }

  /** Starts a new segment when the present one is older than that, so that retention can take the old one. */
  rollIfOlder(sinceMs: number): Promise<void> {
    if (this.#state.position === segmentHeaderBytes(this.#state.next.length) || this.#lastAppendMs > sinceMs)
      return Promise.resolve();
    this.#torn = true;
    return this.append([]);
  }

  /** Waits for what is under way; nothing may be appended afterwards. */
  async close(): Promise<void> {
    await this.#flushing;
    await finishSegment(this.#state.fd, this.#torn ? null : this.#state.position);
  }

  async #flushAll(): Promise<void> {
    // Appends of the same turn of the event loop share the first write.
    await new Promise(setImmediate);
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      const error = await this.#flush(group);
      for (const { resolve, reject } of group) {
        if (error) reject(error);
        else resolve();
      }
    }
    this.#flushing = null;
  }

  #takeGroup(): Waiting[] {
    let bytes = 0;
    let count = 0;
    for (const { bytes: more } of this.#waiting) {
      if (count > 0 && bytes + more > flushBytesMax) break;
      bytes += more;
      count += 1;
    }
    const group = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    return group;
  }

  /** Never rejects: returns the outcome for the appends of the group. */
  async #flush(group: readonly Waiting[]): Promise<Error | null> {
    const bytes = group.reduce((sum, waiting) => sum + waiting.bytes, 0);
    try {
      if (!this.#lease.isMine()) throw new Error('another process writes as this writer now');
      await this.#ensureSegment(bytes);
    } catch (error) {
      return new LogUnavailableError(`cannot append to ${this.#lane}: ${messageOf(error)}`, { cause: error });
    }
    try {
      await this.#write(group, bytes);
      return null;
    } catch (error) {
      this.#torn = true;
      return new OutcomeUnknownError(`append to ${this.#lane} did not finish: ${messageOf(error)}`, { cause: error });
    }
  }

  async #write(group: readonly Waiting[], bytes: number): Promise<void> {
    const state = this.#state;
    const next = [...state.next];
    const ends = [...state.ends];
    const frames = this.#encode(group, bytes, next, ends);
    await writeDurably(state.fd, frames, state.position);
    if (!this.#lease.isMine()) throw new Error('another process took the writer over');
    Object.assign(state, { position: state.position + bytes, next, ends });
    this.#lease.publish(this.#lane, state);
  }

  #encode(group: readonly Waiting[], bytes: number, next: number[], ends: number[]): Buffer {
    if (this.#buffer.length < bytes) this.#buffer = Buffer.allocUnsafeSlow(Math.max(bytes, 64 * 1024));
    const timeMs = Date.now();
    this.#lastAppendMs = timeMs;
    let at = 0;
    for (const { records } of group) {
      for (const { partition, payload } of records) {
        const offset = next[partition] ?? 0;
        at = writeFrame(this.#buffer, at, { partition, timeMs, offset, payload });
        next[partition] = ends[partition] = offset + 1;
      }
    }
    return this.#buffer.subarray(0, at);
  }

  async #ensureSegment(bytes: number): Promise<void> {
    const state = this.#state;
    const empty = state.position === segmentHeaderBytes(state.next.length);
    if (!this.#torn && (empty || state.position + bytes <= this.#segmentBytes)) return;
    const finished = { fd: state.fd, position: this.#torn ? null : state.position };
    // A next segment may be there even when making it fails, and it says where this one ends: nothing more goes in here.
    this.#torn = true;
    state.fd = await this.#createNext();
    this.#torn = false;
    this.#lease.publish(this.#lane, state);
    await finishSegment(finished.fd, finished.position);
  }

  /** Moves on to a new segment, past those that tries of this process have left half made; they stay empty. */
  async #createNext(): Promise<number> {
    const state = this.#state;
    for (;;) {
      const { position: previousEnd, ends, next } = state;
      const header = { sequence: state.sequence + 1, epoch: this.#lease.epoch, previousEnd, ends, next };
      const fd = await createSegment(state.folder, header, this.#segmentBytes);
      // Whoever takes over removes the lease first: while it is there, the segment is no other's.
      if (fd === null && !this.#lease.isMine()) throw new Error('another process made the next segment');
      Object.assign(state, { sequence: header.sequence, position: segmentHeaderBytes(next.length) });
      if (fd !== null) return fd;
    }
  }
}
