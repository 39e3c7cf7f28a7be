/**
 * Bytes in the making, in ClickHouse's RowBinary. Grows as needed; what it gives out is valid until the next write.
 * Text that is no valid Unicode (a lone surrogate) is written as U+FFFD, so that no text can make an insert fail.
 */
export class RowWriter {
  #bytes: Buffer;
  #end = 0;

  constructor(bytesExpected: number) {
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(bytesExpected, 1024));
  }

  /** Everything written so far, not copied. */
  get written(): Buffer {
    return this.#bytes.subarray(0, this.#end);
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

  string(text: string): void {
    // A UTF-16 unit takes at most three bytes of UTF-8.
    this.#reserve(text.length * 3 + 5);
    if (text.length > shortTextMax || !this.#putAscii(text)) this.#putUtf8(text);
  }

  /** Sixteen bytes: ClickHouse keeps a UUID as two little-endian halves. @returns false when it is none. */
  uuid(text: string): boolean {
    if (!uuidPattern.test(text)) return false;
    this.#reserve(16);
    const bytes = this.#bytes;
    for (let half = 0; half < 2; half++) {
      for (let byte = 0; byte < 8; byte++) {
        const at = uuidDigits[half * 8 + byte] as number;
        const value = (digitOf(text.charCodeAt(at)) << 4) | digitOf(text.charCodeAt(at + 1));
        bytes[this.#end + half * 8 + 7 - byte] = value;
      }
    }
    this.#end += 16;
    return true;
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

  // The length stands before the text and is known only after it: written where it will most likely begin, moved if not.
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
    const grown = Buffer.allocUnsafeSlow(Math.max(this.#bytes.length * 2, this.#end + size));
    this.#bytes.copy(grown, 0, 0, this.#end);
    this.#bytes = grown;
  }
}

const shortTextMax = 24;
const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** Where in its text each byte of a UUID begins. */
const uuidDigits = [0, 2, 4, 6, 9, 11, 14, 16, 19, 21, 24, 26, 28, 30, 32, 34];

// '0'–'9' end in their value; letters of either case end in 1–6 for a–f.
const digitOf = (code: number): number => (code & 15) + (code > 57 ? 9 : 0);

const lengthOfLength = (size: number): number => (size < 0x80 ? 1 : size < 0x4000 ? 2 : size < 0x20_0000 ? 3 : size < 0x1000_0000 ? 4 : 5);
