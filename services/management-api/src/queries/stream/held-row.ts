import { ResponseTooLargeError } from '@millrace/clickhouse/response-errors.ts';

/** Lets rows through but for the last, which may be one too many: so a row is as large as memory has room for. */
export class HeldRow {
  readonly #mark: Buffer;
  readonly #bytesMax: number;
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** The end of what came, too short to hold a mark. */
  #edge: Buffer = Buffer.alloc(0);

  /** `mark`: what stands between two rows; `bytesMax`: of one row. */
  constructor(mark: string, bytesMax: number) {
    this.#mark = Buffer.from(mark);
    this.#bytesMax = bytesMax;
  }

  /** The bytes of all rows that have another behind them. @throws {ResponseTooLargeError} for too large a row */
  push(chunk: Buffer): Buffer[] {
    const bytes = Buffer.concat([this.#edge, chunk]);
    const at = bytes.lastIndexOf(this.#mark);
    const end = Math.max(bytes.length - this.#mark.length + 1, 0);
    this.#edge = bytes.subarray(end);
    const passed = at === -1 ? [] : [...this.#held, bytes.subarray(0, at)];
    if (at !== -1) this.#forget();
    this.#hold(bytes.subarray(Math.max(at, 0), end));
    return passed;
  }

  /** The last row, in pieces. */
  last(): Buffer[] {
    return [...this.#held, this.#edge];
  }

  #hold(bytes: Buffer): void {
    this.#held.push(bytes);
    this.#heldBytes += bytes.length;
    if (this.#heldBytes > this.#bytesMax) throw new ResponseTooLargeError(this.#bytesMax);
  }

  #forget(): void {
    this.#held = [];
    this.#heldBytes = 0;
  }
}
