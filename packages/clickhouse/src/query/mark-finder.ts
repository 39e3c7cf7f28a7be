/**
 * Splits bytes that come in chunks at the first place of a mark, wherever the chunks break. Nothing of what may be the mark's
 * beginning is let through before it is known.
 */
export class MarkFinder {
  readonly #mark: Buffer;
  /** The end of what came, while it may be the beginning of the mark. */
  #held: Buffer = Buffer.alloc(0);
  #behind: Buffer[] | undefined;

  constructor(mark: string) {
    this.#mark = Buffer.from(mark);
  }

  /** All bytes after the mark; undefined before the mark has come. */
  get behind(): Buffer | undefined {
    return this.#behind && Buffer.concat(this.#behind);
  }

  /** Bytes before the mark that came and were not returned yet. */
  push(chunk: Buffer): Buffer {
    if (this.#behind !== undefined) {
      this.#behind.push(chunk);
      return chunk.subarray(0, 0);
    }
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const at = bytes.indexOf(this.#mark);
    if (at !== -1) {
      this.#behind = [bytes.subarray(at + this.#mark.length)];
      this.#held = bytes.subarray(0, 0);
      return bytes.subarray(0, at);
    }
    const end = bytes.length - this.#begunAtEndOf(bytes);
    this.#held = bytes.subarray(end);
    return bytes.subarray(0, end);
  }

  /** The held bytes, when nothing more comes: they were no mark. */
  rest(): Buffer {
    return this.#held;
  }

  /** Number of bytes at the end that are a beginning of the mark. */
  #begunAtEndOf(bytes: Buffer): number {
    for (let length = Math.min(this.#mark.length - 1, bytes.length); length > 0; length -= 1) {
      if (bytes.compare(this.#mark, 0, length, bytes.length - length) === 0) return length;
    }
    return 0;
  }
}
