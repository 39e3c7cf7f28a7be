/** Lets rows through but for the last, which may be one too many. */
export class HeldRow {
  readonly #mark: Buffer;
  #held: Buffer[] = [];
  /** The end of what came, too short to hold a mark. */
  #edge: Buffer = Buffer.alloc(0);

  /** `mark`: what stands between two rows. */
  constructor(mark: string) {
    this.#mark = Buffer.from(mark);
  }

  /** The bytes of all rows that have another behind them. */
  push(chunk: Buffer): Buffer[] {
    const bytes = Buffer.concat([this.#edge, chunk]);
    const at = bytes.lastIndexOf(this.#mark);
    const end = Math.max(bytes.length - this.#mark.length + 1, at + 1, 0);
    this.#edge = bytes.subarray(end);
    if (at === -1) {
      this.#held.push(bytes.subarray(0, end));
      return [];
    }
    const passed = [...this.#held, bytes.subarray(0, at)];
    this.#held = [bytes.subarray(at, end)];
    return passed;
  }

  /** The last row. */
  last(): Buffer {
    return Buffer.concat([...this.#held, this.#edge]);
  }
}
