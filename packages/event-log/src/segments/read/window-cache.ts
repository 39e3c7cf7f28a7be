import { closeSync, openSync, readSync } from 'node:fs';
import { readFully } from '../files/files.ts';
import { checksumHolds, frameHeaderBytes, parseFrames, payloadBytesMax, type Frame } from '../files/frame.ts';
import { FrameTables, type FrameTable } from '../files/frame-tables.ts';
import { segmentPath } from '../files/layout.ts';

/** Part of a segment in memory, with the records in it by partition. */
interface Window {
  sequence: number;
  /** Position in the segment of the buffer's first byte. */
  start: number;
  /** Position after the last whole record of it. */
  end: number;
  buffer: Buffer;
  filled: number;
  frames: Frame[][];
  growing: Promise<void> | null;
}

/** A record as it lies in a window. */
interface WindowRecord {
  /** Position after it in the segment. */
  end: number;
  offset: number;
  timeMs: number;
  /** A view of memory that is used again: to be copied at once. */
  payload: Buffer;
}

const windowBytesMin = 64 * 1024;
const windowBytesMax = 1024 * 1024;
const windowsMax = 8;
const sparesMax = 2;
const filesMax = 8;
/** Records whose positions are cached: some 500 MB of segments, if they are of the usual size. */
const framesMax = 40_000;

/**
 * The recently read parts of one lane's segments. The streams of a lane share a file, and mostly read near one
 * another: what one of them reads is there for the others, checked and sorted by partition once.
 *
 * In a backlog they read far apart, for each reads a batch ahead when the one before was taken. Who comes later finds where
 * its records are and reads these alone, so that a backlog is not read once for each partition.
 */
export class WindowCache {
  readonly #folder: string;
  readonly #partitions: number;
  #windows: Window[] = [];
  /** Memory of former windows: new pages for each would cost the kernel more than the reading. */
  readonly #spares: Buffer[] = [];
  /** Positions of the records of windows that were dropped. */
  readonly #tables = new FrameTables(framesMax);
  #scratch = Buffer.alloc(0);
  readonly #files = new Map<number, { fd: number; users: number }>();
  /** Bytes skipped because no whole record with a right checksum was there. */
  damagedBytes = 0;

  constructor(folder: string, partitions: number) {
    this.#folder = folder;
    this.#partitions = partitions;
  }

  /**
   * Visits records of a partition from `position` on, as far as one window reaches, until `visit` says false. `durable` is
   * the position up to which the segment may be read, a border between records; `position` lies before it.
   * @returns the position after the last record that was visited: in front of one that was not wanted, or the end of the window.
   */
  async scan(
    sequence: number,
    position: number,
    durable: number,
    partition: number,
    visit: (record: WindowRecord) => boolean,
  ): Promise<number> {
    const table = this.#found(sequence, position) === undefined ? this.#tables.find(sequence, position) : undefined;
    if (table !== undefined) return this.#scanByTable(table, position, partition, visit);
    let window = this.#windowFor(sequence, position, durable);
    while (window.end <= position) {
      await this.#growing(window, durable);
      // A full window ends before a record that it cuts: that one begins another window.
      window = this.#windowFor(sequence, position, durable);
    }
    const frames = window.frames[partition] ?? [];
    for (let index = firstBehind(frames, position - window.start); index < frames.length; index++) {
      const { start, end, offset, timeMs } = frames[index] as Frame;
      const isWanted = visit({
        end: window.start + end,
        offset,
        timeMs,
        payload: window.buffer.subarray(start + frameHeaderBytes, end),
      });
      if (!isWanted) return window.start + start;
    }
    return window.end;
  }

  /** Records one by one. They were read as a whole a moment ago, so the system has them in memory, and the read does not wait for a disk. */
  #scanByTable(
    table: FrameTable,
    position: number,
    partition: number,
    visit: (record: WindowRecord) => boolean,
  ): number {
    const frames = table.frames[partition] ?? [];
    for (let index = firstBehind(frames, position - table.start); index < frames.length; index++) {
      const { start, end, offset, timeMs } = frames[index] as Frame;
      const payload = this.#payloadAt(table.sequence, table.start + start, end - start);
      if (payload === null) {
        // No longer what it was: read as a whole, it is found out what is damaged.
        this.#tables.remove(table);
        return table.start + start;
      }
      if (!visit({ end: table.start + end, offset, timeMs, payload })) return table.start + start;
    }
    return table.end;
  }

  #payloadAt(sequence: number, position: number, frameBytes: number): Buffer | null {
    if (this.#scratch.length < frameBytes) this.#scratch = Buffer.allocUnsafeSlow(frameBytes);
    const { fd } = this.#file(sequence);
    const got = readSync(fd, this.#scratch, 0, frameBytes, position);
    this.#closeBeyond(filesMax);
    return got === frameBytes && checksumHolds(this.#scratch, 0, frameBytes)
      ? this.#scratch.subarray(frameHeaderBytes, frameBytes)
      : null;
  }

  close(): void {
    this.#windows = [];
    this.#tables.clear();
    this.#spares.length = 0;
    this.#closeBeyond(0);
  }

  #found(sequence: number, position: number): Window | undefined {
    return this.#windows.find(
      ({ sequence: of, start, end, filled, buffer }) =>
        of === sequence &&
        start <= position &&
        (position < end || (position === end && (position === start || filled < buffer.length))),
    );
  }

  #windowFor(sequence: number, position: number, durable: number): Window {
    const found = this.#found(sequence, position);
    if (found) return found;
    const size = Math.max(windowBytesMin, Math.min(windowBytesMax, durable - position));
    this.#dropBeyond(windowsMax - 1);
    const frames = Array.from({ length: this.#partitions }, (): Frame[] => []);
    const buffer = this.#spares.pop() ?? Buffer.allocUnsafeSlow(size);
    const window = { sequence, start: position, end: position, buffer, filled: 0, frames, growing: null };
    this.#windows.unshift(window);
    return window;
  }

  #dropBeyond(windowsKept: number): void {
    for (const { buffer, growing, sequence, start, end, frames } of this.#windows.splice(windowsKept)) {
      // One that is being read into is left alone.
      if (growing !== null) continue;
      this.#tables.add({ sequence, start, end, frames });
      if (buffer.length === windowBytesMax && this.#spares.length < sparesMax) this.#spares.push(buffer);
    }
  }

  #growing(window: Window, durable: number): Promise<void> {
    window.growing ??= this.#grow(window, durable).finally(() => {
      window.growing = null;
    });
    return window.growing;
  }

  async #grow(window: Window, durable: number): Promise<void> {
    const { buffer, filled, start, sequence } = window;
    const wanted = buffer.subarray(filled, Math.min(buffer.length, durable - start));
    const got = wanted.length === 0 ? 0 : await this.#read(sequence, wanted, start + filled);
    if (got < wanted.length)
      throw new Error(`segment ${sequence} of ${this.#folder} ends at ${start + filled + got}, expected ${durable}`);
    window.filled = filled + got;
    const final = start + window.filled === durable;
    const parsed = parseFrames(buffer, window.end - start, window.filled, final, (frame) =>
      window.frames[frame.partition]?.push(frame),
    );
    window.end = start + parsed.end;
    this.damagedBytes += parsed.damagedBytes;
    if (parsed.end === 0 && window.filled === buffer.length) this.#enlarge(window, parsed.frameBytes);
  }

  /** For a record that is larger than a window. */
  #enlarge(window: Window, frameBytes: number): void {
    const size = Math.max(frameBytes, Math.min(window.buffer.length * 2, frameHeaderBytes + payloadBytesMax));
    const buffer = Buffer.allocUnsafeSlow(size);
    window.buffer.copy(buffer);
    window.buffer = buffer;
  }

  async #read(sequence: number, target: Buffer, position: number): Promise<number> {
    const file = this.#file(sequence);
    file.users += 1;
    try {
      return await readFully(file.fd, target, position);
    } finally {
      file.users -= 1;
      this.#closeBeyond(filesMax);
    }
  }

  #file(sequence: number): { fd: number; users: number } {
    const file = this.#files.get(sequence) ?? { fd: openSync(segmentPath(this.#folder, sequence), 'r'), users: 0 };
    this.#files.set(sequence, file);
    return file;
  }

  #closeBeyond(filesKept: number): void {
    for (const [sequence, { fd, users }] of this.#files) {
      if (this.#files.size <= filesKept) return;
      if (users > 0) continue;
      closeSync(fd);
      this.#files.delete(sequence);
    }
  }
}

/** Index of the first frame that does not begin before `position`. */
function firstBehind(frames: readonly Frame[], position: number): number {
  let low = 0;
  let high = frames.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((frames[middle]?.start ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
}
