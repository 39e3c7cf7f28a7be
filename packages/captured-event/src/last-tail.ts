const bytesMax = 1024;

/**
 * Caches the value that was made of the bytes at the end of one text. Texts that come one after the other mostly end
 * alike, and equal bytes need not be read again.
 */
export class LastTail<Made> {
  readonly #bytes = Buffer.alloc(bytesMax);
  #length = 0;
  #made: Made | null = null;

  /** The cached value, when the bytes from `start` to `end` are the same. */
  find(bytes: Buffer, start: number, end: number): Made | null {
    const length = this.#length;
    if (end - start !== length) return null;
    const known = this.#bytes;
    for (let at = 0; at < length; at++) if (bytes[start + at] !== known[at]) return null;
    return this.#made;
  }

  store(bytes: Buffer, start: number, end: number, made: Made): void {
    const fits = end - start <= bytesMax;
    this.#length = fits ? bytes.copy(this.#bytes, 0, start, end) : 0;
    this.#made = fits ? made : null;
  }
}
