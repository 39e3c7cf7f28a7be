import type { LogRecord } from '../event-log.ts';

/**
 * PURE: what was fetched of a partition and not read yet, complete from one offset on. Records come in at one end and are
 * taken from the other.
 */
export class RecordWindow {
  #records: LogRecord[] = [];
  /** Offset from which on the window holds every record; null before the first `restart`. */
  #from: bigint | null = null;
  /** The offset that the next record to come has at least. */
  #next = 0n;
  #bytes = 0;

  /** Bytes of payload. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Forgets all; the next record to come is the first one from that offset on. */
  restart(from: bigint): void {
    this.#records = [];
    this.#bytes = 0;
    this.#from = from;
    this.#next = from;
  }

  /** Forgets all records. New ones are added only after a `restart`. */
  forget(): void {
    this.#records = [];
    this.#bytes = 0;
    this.#from = null;
  }

  /** True when reading on from there needs nothing but what is here or comes next. */
  reaches(from: bigint): boolean {
    return this.#from !== null && from >= this.#from && from <= this.#next;
  }

  /** True when a record at that offset cannot be the next one: offsets grow. */
  isBehind(offset: bigint): boolean {
    return this.#from !== null && offset < this.#next;
  }

  /** Adds records after the last one. */
  add(records: readonly LogRecord[]): void {
    for (const record of records) {
      this.#records.push(record);
      this.#bytes += record.payload.length;
      this.#next = record.offset + 1n;
    }
  }

  /** Takes records from that offset on, about `maxBytes` at most and one at least, and forgets those before it. */
  take(from: bigint, maxBytes: number): LogRecord[] {
    const isOver = this.#records.findIndex(({ offset }) => offset >= from);
    const begin = isOver === -1 ? this.#records.length : isOver;
    let end = begin;
    for (let bytes = 0; end < this.#records.length; end++) {
      bytes += this.#records[end]?.payload.length ?? 0;
      if (end > begin && bytes > maxBytes) break;
    }
    const taken = this.#records.slice(begin, end);
    for (const { payload } of this.#records.slice(0, end)) this.#bytes -= payload.length;
    this.#records = this.#records.slice(end);
    this.#from = (taken.at(-1)?.offset ?? from - 1n) + 1n;
    return taken;
  }
}
