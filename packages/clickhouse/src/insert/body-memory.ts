/** Memory for bytes that are being written. Memory that is given back may be overwritten at once. */
export interface ByteMemory {
  /** Memory of at least this many bytes, with any content. */
  take(size: number): Buffer;
  giveBack(memory: Buffer): void;
}

/** Memory that is left to the garbage collector. */
export const freshMemory: ByteMemory = { take: (size) => Buffer.allocUnsafeSlow(size), giveBack: () => undefined };

/** Less than this is cheap to take anew. */
const keptBytesMin = 1024 * 1024;
/** Bodies of one load differ a little in size: rounded up, one fits where the one before lay. Pages that nobody touches cost nothing. */
const stepBytes = 4 * 1024 * 1024;

/**
 * Memory that is used again: 30 MB of new pages for each insert cost the kernel as much as the copying into them, and drive
 * V8 to full collections. Keeps at most `bytesMax` that nobody uses, the largest pieces first.
 */
export class BodyMemory implements ByteMemory {
  readonly #bytesMax: number;
  /** The smallest first. */
  #free: Buffer[] = [];

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes that are pooled for the next bodies. */
  get keptBytes(): number {
    return this.#free.reduce((sum, { length }) => sum + length, 0);
  }

  take(size: number): Buffer {
    const index = size < keptBytesMin ? -1 : this.#free.findIndex(({ length }) => length >= size);
    const [found] = index === -1 ? [] : this.#free.splice(index, 1);
    return found ?? Buffer.allocUnsafeSlow(size < keptBytesMin ? size : Math.ceil(size / stepBytes) * stepBytes);
  }

  giveBack(memory: Buffer): void {
    if (memory.length < keptBytesMin || memory.length > this.#bytesMax) return;
    this.#free.push(memory);
    this.#free.sort((one, other) => one.length - other.length);
    while (this.keptBytes > this.#bytesMax) this.#free.shift();
  }
}
