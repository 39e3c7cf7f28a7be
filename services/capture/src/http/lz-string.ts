import { setImmediate as nextTurn } from 'node:timers/promises';
import { RequestError } from './request-error.ts';
import { limitLz } from './inflate/inflate-limiter.ts';
import { onTheSpotBytesMax, onTheSpotInflatedMax, type Allowance } from './inflate/inflate.ts';

/** Most bytes of a text, at two bytes a character. Old browsers sent batches of some kilobytes, and a few phrases can expand to megabytes. */
const lzBytesMax = 16_777_216;

/** Values of the characters of both alphabets that the library writes; a blank was a `+` before a form decoder saw it. */
const sixBits = new Int8Array(256).fill(-1);
[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'].forEach(
  (letter, value) => (sixBits[letter.charCodeAt(0)] = value),
);
for (const letter of '+ ') sixBits[letter.charCodeAt(0)] = 62;
for (const letter of '/-') sixBits[letter.charCodeAt(0)] = 63;
/** Padding: no bits are set. */
for (const letter of '=$') sixBits[letter.charCodeAt(0)] = 0;

/** Codes with a meaning of their own: a character of 8 bits follows, one of 16 bits follows, the end. */
const shortCharacter = 0;
const longCharacter = 1;
const endOfText = 2;
const codesOfTheirOwn = 3;

/** Range of the text between two checks of the clock: a few milliseconds of work. */
const sliceCodes = 50_000;
const sliceUnits = 2_000_000;

/**
 * Reads what the npm package lz-string writes with `compressToBase64` or `compressToEncodedURIComponent`. Written anew
 * because that library keeps no bound: a few kilobytes can stand for gigabytes. Each phrase of its dictionary is a piece
 * of the text so far, so the dictionary is kept as places in the output and takes no memory of its own worth naming.
 */
class LzReader {
  private readonly input: Buffer;
  private readonly unitsMax: number;
  /** Next byte of the input; the six bits of the one before it, and the mask of the next bit among them. */
  private at = 0;
  private six = 0;
  private mask = 0;
  private output = new Uint16Array(1024);
  private length = 0;
  private starts = new Int32Array(1024);
  private lengths = new Int32Array(1024);
  private phrases = codesOfTheirOwn;
  private codeBits = 2;
  private untilWider = 1;
  private lastStart = -1;
  private lastLength = 0;

  constructor(input: Buffer, unitsMax: number) {
    this.input = input;
    this.unitsMax = unitsMax;
  }

  /** Reads for a few milliseconds; true when the end was reached. */
  readSlice(): boolean {
    const unitsEnd = this.length + sliceUnits;
    for (let count = 0; count < sliceCodes && this.length < unitsEnd; count++) if (this.readPhrase()) return true;
    return false;
  }

  text(): Buffer {
    const { buffer } = this.output;
    return Buffer.from(Buffer.from(buffer, 0, this.length * 2).toString('utf16le'));
  }

  /** Copies one phrase to the output and adds the next one to the dictionary; true at the end. */
  private readPhrase(): boolean {
    const code = this.readBits(this.codeBits);
    if (code === endOfText) return true;
    const start = this.length;
    if (code === shortCharacter || code === longCharacter) {
      this.reserve(1);
      this.output[this.length++] = this.readBits(code === shortCharacter ? 8 : 16);
      this.addPhrase(start, 1);
    } else this.copyPhrase(code);
    // The previous phrase, and the first character of the current one, lie side by side in the output.
    if (this.lastStart >= 0) this.addPhrase(this.lastStart, this.lastLength + 1);
    this.lastStart = start;
    this.lastLength = this.length - start;
    return false;
  }

  private copyPhrase(code: number): void {
    // A phrase may be used while it is being made: then it is the last one and its own first character.
    const isUnfinished = code === this.phrases && this.lastStart >= 0;
    if (code > this.phrases || (code === this.phrases && !isUnfinished)) throw unreadable();
    const from = isUnfinished ? this.lastStart : (this.starts[code] as number);
    const size = isUnfinished ? this.lastLength : (this.lengths[code] as number);
    this.reserve(isUnfinished ? size + 1 : size);
    this.output.copyWithin(this.length, from, from + size);
    this.length += size;
    if (isUnfinished) this.output[this.length++] = this.output[from] as number;
  }

  /** A new phrase of the dictionary. Codes get a bit longer whenever the next one would not fit. */
  private addPhrase(start: number, length: number): void {
    if (this.phrases === this.starts.length) {
      this.starts = doubled(this.starts);
      this.lengths = doubled(this.lengths);
    }
    this.starts[this.phrases] = start;
    this.lengths[this.phrases++] = length;
    if (--this.untilWider === 0) {
      this.untilWider = 2 ** this.codeBits;
      this.codeBits++;
    }
  }

  private reserve(units: number): void {
    const wanted = this.length + units;
    if (wanted > this.unitsMax) throw new RequestError('inflatedTooLarge');
    if (wanted <= this.output.length) return;
    const larger = new Uint16Array(Math.min(this.unitsMax, Math.max(wanted, this.output.length * 2)));
    larger.set(this.output.subarray(0, this.length));
    this.output = larger;
  }

  /** The next `count` bits, the lowest one first. */
  private readBits(count: number): number {
    let value = 0;
    for (let bit = 0; bit < count; bit++) {
      if (this.mask === 0) this.nextSix();
      if ((this.six & this.mask) !== 0) value |= 1 << bit;
      this.mask >>= 1;
    }
    return value;
  }

  private nextSix(): void {
    const letter = this.input[this.at++];
    const six = letter === undefined ? -1 : (sixBits[letter] as number);
    if (six < 0) throw unreadable();
    this.six = six;
    this.mask = 32;
  }
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

function unreadable(): RequestError {
  return new RequestError('unreadableLz');
}

/**
 * Decodes lz-string's base64 to UTF-8 text: at once when it is small, else in a slot, in slices between which others are
 * served.
 * @throws {RequestError} (also as a rejection) 400 when it is none or has no end, 413 when it is longer than
 * `inflatedBytesMax` or 16 MiB, at two bytes a character, 503 when too many other long ones are read.
 */
export function fromLzString(input: Buffer, { inflatedBytesMax, sender }: Allowance): Buffer | Promise<Buffer> {
  const unitsMax = Math.floor(Math.min(lzBytesMax, inflatedBytesMax) / 2);
  const inSlot = (): Promise<Buffer> => limitLz(sender, () => inSlices(new LzReader(input, unitsMax)));
  if (input.length > onTheSpotBytesMax) return inSlot();
  const unitsAtOnce = Math.min(onTheSpotInflatedMax / 2, unitsMax);
  const reader = new LzReader(input, unitsAtOnce);
  try {
    while (!reader.readSlice());
    return reader.text();
  } catch (error) {
    // Begun anew in the slot: thousands of waiting decoders would fill the memory.
    if (error instanceof RequestError && error.reply === 'inflatedTooLarge' && unitsAtOnce < unitsMax) return inSlot();
    throw error;
  }
}

async function inSlices(reader: LzReader): Promise<Buffer> {
  while (!reader.readSlice()) await nextTurn();
  return reader.text();
}
