import { OffsetGoneError, type LogRecord, type PayloadMemory } from '../../event-log.ts';
import { isFurther, type DurableEnd } from '../coordination/durable-end.ts';
import { failedWith } from '../files/files.ts';
import { segmentsIn } from '../files/layout.ts';
import { readSegmentHeader } from '../files/segment-file.ts';
import { segmentHeaderBytes, type SegmentHeader } from '../files/segment-header.ts';
import { WindowCache } from './window-cache.ts';

/** Position of a stream: all its records before `offset` lie before `position`. */
interface Cursor {
  sequence: number;
  position: number;
  offset: number;
}

/** Left to the garbage collector. */
const ownMemory: PayloadMemory = { keep: (payload) => Buffer.from(payload) };

/**
 * Reads one lane of one writer for all streams of this process. It never reads beyond the durable end that it was
 * given.
 */
export class LaneReader {
  readonly #folder: string;
  readonly #partitions: number;
  readonly #windows: WindowCache;
  /** Finished segments keep their header and end for ever. */
  readonly #headers = new Map<number, SegmentHeader>();
  readonly #cursors: (Cursor | undefined)[] = [];
  #durable: DurableEnd | null = null;

  constructor(folder: string, partitions: number) {
    this.#folder = folder;
    this.#partitions = partitions;
    this.#windows = new WindowCache(folder, partitions);
  }

  /** Bytes that were skipped because they are no records; counted each time that they are read. */
  get damagedBytes(): number {
    return this.#windows.damagedBytes;
  }

  /** Lets the reader continue to `end`; returns whether the end has changed. */
  advance(end: DurableEnd): boolean {
    if (this.#durable && !isFurther(end, this.#durable)) return false;
    this.#durable = end;
    return true;
  }

  /** True when a durable end in that segment is known. */
  knows(sequence: number): boolean {
    return this.#durable !== null && this.#durable.sequence >= sequence;
  }

  /** Offset after the newest readable record of a partition. */
  end(partition: number): number {
    return this.#durable?.ends[partition] ?? 0;
  }

  /** Oldest offset of a partition that retention has left. */
  async begin(partition: number): Promise<number> {
    const [oldest] = await segmentsIn(this.#folder);
    return oldest === undefined ? 0 : ((await this.#header(oldest)).ends[partition] ?? 0);
  }

  /**
   * Records from `from` on that are there now, about `maxBytes` of payload; from 0 means from the oldest one kept.
   * @throws {OffsetGoneError}
   */
  async read(
    partition: number,
    from: number,
    maxBytes: number,
    memory: PayloadMemory = ownMemory,
  ): Promise<LogRecord[]> {
    const durable = this.#durable;
    if (!durable || from >= (durable.ends[partition] ?? 0)) return [];
    const known = this.#cursors[partition];
    const cursor = known?.offset === from ? { ...known } : await this.#locate(partition, from, durable);
    this.#cursors[partition] = undefined;
    const records = await this.#collect(partition, cursor, durable, maxBytes, memory);
    this.#cursors[partition] = cursor;
    return records;
  }

  close(): void {
    this.#windows.close();
  }

  async #collect(
    partition: number,
    cursor: Cursor,
    durable: DurableEnd,
    maxBytes: number,
    memory: PayloadMemory,
  ): Promise<LogRecord[]> {
    const from = cursor.offset;
    const found: LogRecord[] = [];
    let bytes = 0;
    let isFull = false;
    while (!isFull && (bytes < maxBytes || found.length === 0)) {
      const end = await this.#endOf(cursor.sequence, durable);
      if (cursor.position >= end) {
        if (cursor.sequence >= durable.sequence) break;
        cursor.sequence += 1;
        cursor.position = segmentHeaderBytes(this.#partitions);
        continue;
      }
      cursor.position = await this.#windows.scan(
        cursor.sequence,
        cursor.position,
        end,
        partition,
        ({ offset, timeMs, payload }) => {
          isFull = found.length > 0 && bytes + payload.length > maxBytes;
          if (isFull || offset < from) return !isFull;
          bytes += payload.length;
          found.push({ offset: BigInt(offset), appendedAtMs: timeMs, payload: memory.keep(payload) });
          cursor.offset = offset + 1;
          return true;
        },
      );
    }
    return found;
  }

  /** Position after the last record of a segment, as far as it may be read. */
  async #endOf(sequence: number, durable: DurableEnd): Promise<number> {
    if (sequence >= durable.sequence) return durable.position;
    return (await this.#header(sequence + 1)).previousEnd;
  }

  /** The newest segment that does not begin after `from`: headers are read from the newest one backwards. */
  async #locate(partition: number, from: number, durable: DurableEnd): Promise<Cursor> {
    const position = segmentHeaderBytes(this.#partitions);
    const there = (await segmentsIn(this.#folder)).filter((sequence) => sequence <= durable.sequence);
    for (const sequence of there.toReversed()) {
      const header = await this.#header(sequence).catch((error: unknown) => {
        if (failedWith(error, 'ENOENT')) return null;
        throw error;
      });
      if (!header) break;
      if ((header.ends[partition] ?? 0) <= from) return { sequence, position, offset: from };
    }
    const [oldest] = there;
    if (from !== 0 || oldest === undefined)
      throw new OffsetGoneError(`offset ${from} of partition ${partition} was removed`);
    return { sequence: oldest, position, offset: 0 };
  }

  async #header(sequence: number): Promise<SegmentHeader> {
    const known = this.#headers.get(sequence);
    if (known) return known;
    const header = await readSegmentHeader(this.#folder, sequence, this.#partitions);
    this.#headers.set(sequence, header);
    return header;
  }
}
