import { SymbolDataError } from '../symbol-data-error.ts';

/** Code of `;`. */
export const lineEnd = 0x3b;
const comma = 0x2c;
/** True for the codes of `,` and `;`. */
export const isSeparator = (code: number): boolean => code === comma || code === lineEnd;

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
/** Value of each digit by its code, -1 for others. */
const valueOf = new Int8Array(128).fill(-1);
for (const [value, digit] of Array.from(digits).entries()) valueOf[digit.charCodeAt(0)] = value;
const greatest = 0x7fff_ffff;

/** Reads the numbers of mappings: digits of base 64, 5 bits in each and one that says whether another follows. */
export class VlqReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  isAtLineEnd(): boolean {
    return this.#text.charCodeAt(this.#at) === lineEnd;
  }

  /** True at the end of the text too. */
  isAtSeparator(): boolean {
    return this.isAtEnd() || isSeparator(this.#text.charCodeAt(this.#at));
  }

  /** Leaves a separator behind. */
  skip(): void {
    this.#at++;
  }

  /** Reads a difference, and returns the sum: 0 to 2³¹ − 1. @throws {SymbolDataError} */
  add(value: number): number {
    let read = 0;
    let weight = 1;
    let digit: number;
    do {
      digit = valueOf[this.#text.charCodeAt(this.#at++)] ?? -1;
      if (digit === -1) throw invalid('mappings hold what is not a number');
      read += (digit & 31) * weight;
      weight *= 32;
      if (read > 0xffff_ffff || weight > 2 ** 35) throw invalid('a number of mappings overflows');
    } while (digit >= 32);
    const half = Math.floor(read / 2);
    const sum = read % 2 === 1 ? value - half : value + half;
    if (sum < 0 || sum > greatest) throw invalid('a number of mappings is out of range');
    return sum;
  }
}

const invalid = (reason: string): SymbolDataError => new SymbolDataError('map', reason);
