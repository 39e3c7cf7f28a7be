import { freshMemory, type ByteMemory } from './body-memory.ts';

/**
 * Bytes in the making, in ClickHouse's RowBinary. Grows as needed; what it gives out is valid until the next write.
 * Text that is no valid Unicode (a lone surrogate) is written as U+FFFD, so that no text can make an insert fail.
 */
export class RowWriter {
  #bytes: Buffer;
  #end = 0;
  #revision = 0;
  readonly #memory: ByteMemory;

  constructor(bytesExpected: number, memory: ByteMemory = freshMemory) {
    this.#memory = memory;
    this.#bytes = memory.take(Math.max(bytesExpected, 1024));
  }

  /** Bytes written so far. */
  get size(): number {
    return this.#end;
  }

  /** Changes whenever written bytes are given up: positions of an older generation must not be read any more. */
  get revision(): number {
    return this.#revision;
  }

  /** Everything written so far, not copied. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#end);
  }

  /** Gives the memory back: from now on this writes nothing, and nothing may read what it wrote. */
  release(): void {
    this.#memory.giveBack(this.#bytes);
    this.#bytes = nothing;
    this.#end = 0;
    this.#revision += 1;
  }

  /** Ensures capacity for this many more bytes. */
  expect(size: number): void {
    this.#reserve(size);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.#bytes[this.#end++] = value;
  }

  /** Unsigned LEB128, as ClickHouse writes lengths. */
  length(value: number): void {
    this.#reserve(5);
    this.#putLength(value);
  }

  /** A signed or unsigned whole number of 64 bits; a number must be a safe integer. */
  int64(value: number | bigint): void {
    this.#reserve(8);
    if (typeof value === 'bigint') {
      this.#bytes.writeBigUInt64LE(BigInt.asUintN(64, value), this.#end);
    } else {
      const high = Math.floor(value / 0x1_0000_0000);
      this.#bytes.writeUInt32LE(value - high * 0x1_0000_0000, this.#end);
      this.#bytes.writeInt32LE(high | 0, this.#end + 4);
    }
    this.#end += 8;
  }

  float64(value: number): void {
    this.#reserve(8);
    this.#end = this.#bytes.writeDoubleLE(value, this.#end);
  }

  string(text: string): void {
    // A UTF-16 unit takes at most three bytes of UTF-8.
    this.#reserve(text.length * 3 + 5);
    if (text.length > shortTextMax || !this.#putAscii(text)) this.#putUtf8(text);
  }

  /** Text that is UTF-8 already: the bytes up to `utf8End`, and `tail` after them. Copied unchecked. */
  utf8(utf8: Uint8Array, utf8End: number, tail: Uint8Array): void {
    this.length(utf8End + tail.length);
    this.bytes(utf8, 0, utf8End);
    if (tail.length > 0) this.bytes(tail, 0, tail.length);
  }

  /** Bytes that are RowBinary already. */
  bytes(source: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    this.#bytes.set(new Uint8Array(source.buffer, source.byteOffset + start, end - start), this.#end);
    this.#end += end - start;
  }

  /**
   * Copies the bytes that another writer, or this one, has written from `start` to `end`.
   * @throws {RangeError} when it has not written so far, or has given it up: an insert may fail, a row must not be
   * another's.
   */
  copyOf(other: RowWriter, start: number, end: number): void {
    if (end > other.#end) throw new RangeError(`${end - other.#end} bytes are not there to be copied`);
    this.#reserve(end - start);
    this.#end += other.#bytes.copy(this.#bytes, this.#end, start, end);
  }

  /** Removes everything after the first `size` bytes. */
  rewind(size: number): void {
    this.#end = size;
    this.#revision += 1;
  }

  /** Sixteen bytes: ClickHouse keeps a UUID as two little-endian halves. @returns false when it is none. */
  uuid(text: string): boolean {
    if (text.length !== 36) return false;
    for (const at of uuidHyphens) if (text.charCodeAt(at) !== hyphen) return false;
    this.#reserve(16);
    for (let byte = 0; byte < 16; byte++) {
      const at = uuidDigits[byte] as number;
      const value = (digitOf(text.charCodeAt(at)) << 4) | digitOf(text.charCodeAt(at + 1));
      // Negative when one of the two is no digit.
      if (value < 0) return false;
      this.#bytes[this.#end + (byte ^ 7)] = value;
    }
    this.#end += 16;
    return true;
  }

  /** Writes a UUID from its text within bytes, unchecked. */
  uuidOf(bytes: Uint8Array, start: number): void {
    this.#reserve(16);
    for (let byte = 0; byte < 16; byte++) {
      const at = start + (uuidDigits[byte] as number);
      this.#bytes[this.#end + (byte ^ 7)] = (digitOf(bytes[at] ?? 0) << 4) | digitOf(bytes[at + 1] ?? 0);
    }
    this.#end += 16;
  }

  // Faster than a call into Node's encoder for the short keys and values that most properties are.
  #putAscii(text: string): boolean {
    const start = this.#end + 1;
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i);
      if (code > 127) return false;
      this.#bytes[start + i] = code;
    }
    this.#bytes[this.#end] = text.length;
    this.#end = start + text.length;
    return true;
  }

  // The length precedes the text and is known only after it: the text is written where it will most likely begin, and
  // moved if not.
  #putUtf8(text: string): void {
    const guess = lengthOfLength(text.length);
    const size = this.#bytes.write(text, this.#end + guess, 'utf8');
    const actual = lengthOfLength(size);
    if (actual !== guess) this.#bytes.copyWithin(this.#end + actual, this.#end + guess, this.#end + guess + size);
    this.#putLength(size);
    this.#end += size;
  }

  #putLength(value: number): void {
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#end++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    this.#bytes[this.#end++] = rest;
  }

  #reserve(size: number): void {
    if (this.#end + size <= this.#bytes.length) return;
    const grown = this.#memory.take(Math.max(this.#bytes.length * 2, this.#end + size));
    this.#bytes.copy(grown, 0, 0, this.#end);
    this.#memory.giveBack(this.#bytes);
    this.#bytes = grown;
  }
}

const nothing = Buffer.alloc(0);
const shortTextMax = 24;
const hyphen = 0x2d;
const uuidHyphens = [8, 13, 18, 23];
/** Index in the text of a UUID at which each of its bytes begins. */
const uuidDigits = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

/** Values of the hexadecimal digits by their character codes; -1 for what is none. */
const digitValues = Int8Array.from({ length: 128 }, (_, code) =>
  /^[0-9a-f]$/i.test(String.fromCharCode(code)) ? parseInt(String.fromCharCode(code), 16) : -1,
);
const digitOf = (code: number): number => (code < 128 ? (digitValues[code] as number) : -1);

const lengthOfLength = (size: number): number =>
  size < 0x80 ? 1 : size < 0x4000 ? 2 : size < 0x20_0000 ? 3 : size < 0x1000_0000 ? 4 : 5;
