import { backslash, bracketBit, colon, comma, openBrace, quote } from './bytes.ts';
import { ComposedValues } from './composed-values.ts';
import { isExact } from './exact-json.ts';
import type { NameTable } from './name-table.ts';
import { noLevels, withCapacityFor } from './levels.ts';
import { bytesOf, NotJson, scalarEnd, textBetween } from './scalars.ts';
import type { ValueText } from './span.ts';

const letterU = 0x75;
/** A closing bracket has the code of its opening one and two. */
const toClosing = 2;

const isHexDigit = bytesOf('0123456789abcdefABCDEF');
const isEscape = bytesOf('"\\/bfnrtu');
const isBlank = bytesOf(' \t\n\r');

/**
 * Goes through a JSON text token by token, exactly as strict as `JSON.parse`, without making values that nobody reads:
 * no slower than parsing (2.4 ns a byte of events), and without its garbage. The bytes must be valid UTF-8.
 *
 * Every loop that runs once a byte keeps its position in a local variable: a field would be written to memory.
 */
export class JsonReader {
  readonly bytes: Buffer;
  /** The end of what may be read. */
  #length: number;
  /** True when more than that was wanted. */
  #isPastEnd = false;
  readonly #depthMax: number;
  /** Limit of `limitTo`; may be beyond the end of the bytes. */
  limit = Infinity;
  /** Position of the next byte. */
  at = 0;
  /** Deepest level of nesting since it was last set. */
  deepest = 0;
  /** Keys of objects so far. */
  keys = 0;
  /** The texts of values that were recorded since this was last set to null, in their order; null when there were none. */
  texts: ValueText[] | null = null;
  readonly #composed = new ComposedValues();
  /** The opening bracket of each level that `skip` is in. */
  #open = noLevels;
  /** True when the string that `#string` read last is written with escapes. */
  #escaped = false;

  constructor(bytes: Buffer, depthMax: number) {
    this.bytes = bytes;
    this.#length = bytes.length;
    this.#depthMax = depthMax;
  }

  /** From now on reading stops at `end`, though a number or word that begins before it is read to its end. Without `end` there is no limit. */
  limitTo(end = Infinity): void {
    this.limit = end;
    this.#length = Math.min(this.bytes.length, end);
    this.#isPastEnd = false;
  }

  /** True when reading ended because of `limitTo`, not because of an error in front of it. */
  isCutShort(): boolean {
    return this.#isPastEnd && this.#length < this.bytes.length;
  }

  /** True when reading ended because `read` and `pick` met objects and arrays of more than 250,000 values in all. */
  hasTooManyValues(): boolean {
    return this.#composed.areTooMany();
  }

  /** Skips white space; returns the byte after it. @throws {NotJson} at the end of the text. */
  next(): number {
    const byte = this.at < this.#length ? (this.bytes[this.at] as number) : 0;
    if (byte > 0x20) return byte;
    this.at = this.#blanks(this.at);
    return this.bytes[this.at] as number;
  }

  /** True when nothing but white space follows. */
  isAtEnd(): boolean {
    let { at } = this;
    while (at < this.#length && isBlank[this.bytes[at] as number] === 1) at++;
    return at === this.#length;
  }

  /** Reads the opening bracket of level `depth`; false, and after the closing one too, when nothing is in between. */
  enter(depth: number): boolean {
    this.#reach(depth);
    const closing = (this.bytes[this.at] as number) + toClosing;
    this.at++;
    if (this.next() !== closing) return true;
    this.at++;
    return false;
  }

  /** Reads the comma or the closing bracket after an element: true in front of another element, false after the bracket. */
  hasMore(closing: number): boolean {
    const byte = this.next();
    this.at++;
    if (byte === comma) {
      this.next();
      return true;
    }
    if (byte !== closing) throw new NotJson();
    return false;
  }

  /** Reads the key at `at` and its colon; returns its known name, or null. */
  key<Name extends string>(names: NameTable<Name>): Name | null {
    const start = this.at;
    if (this.bytes[start] !== quote) throw new NotJson();
    this.keys++;
    this.at = this.#string(start);
    const name = this.nameAt(start, this.at, this.#escaped, names);
    if (this.next() !== colon) throw new NotJson();
    this.at++;
    this.next();
    return name;
  }

  /** The value at `at`, that of member `name`, below `depth` levels, as `JSON.parse` gives it; `tooLargeToKeep` for one that is. */
  read(depth: number, name: string): unknown {
    const start = this.at;
    if (this.bytes[start] !== quote) {
      this.skip(depth);
      return this.#noText(name, false, start, this.at);
    }
    this.at = this.#string(start);
    return textBetween(this.bytes, start, this.at, this.#escaped);
  }

  /** Skips the value at `at`, below `outside` levels. Iterative: depth costs no stack. */
  skip(outside: number): void {
    this.#skip(outside, null, {});
  }

  /** Reads the object at `at`, below `outside` levels, and puts its members with known names into `into`. */
  pick<Name extends string>(outside: number, names: NameTable<Name>, into: Record<Name, unknown>): void {
    this.#skip(outside, names, into);
  }

  /** One loop for everything, keys too, because a call for each would cost a third of the whole. */
  #skip<Name extends string>(
    outside: number,
    names: NameTable<Name> | null,
    into: Partial<Record<Name, unknown>>,
  ): void {
    const { bytes } = this;
    const length = this.#length;
    let { at } = this;
    let depth = outside;
    let opening = 0;
    let isKey = false;
    let escaped = false;
    /** Known name of the member whose value is being read, if it has one, and position of the value. */
    let name: Name | null = null;
    let start = 0;
    for (;;) {
      const first = at < length ? (bytes[at] as number) : 0;
      if (first === quote) {
        const opened = at;
        escaped = false;
        for (at++; ;) {
          const byte = at < length ? (bytes[at] as number) : 0;
          if (byte > quote && byte !== backslash) at++;
          else if (byte === quote) break;
          else if (byte >= 0x20 && byte !== backslash) at++;
          else {
            at = this.#escape(at);
            escaped = true;
          }
        }
        at++;
        if (isKey) {
          isKey = false;
          this.keys++;
          const isMember = depth === outside + 1;
          if (isMember && names !== null) name = this.nameAt(opened, at, escaped, names);
          at = this.#blanks(at);
          if (bytes[at] !== colon) throw new NotJson();
          at = this.#blanks(at + 1);
          if (isMember) start = at;
          continue;
        }
      } else if (isKey) throw new NotJson();
      else if ((first | bracketBit) === openBrace) {
        this.#push(++depth, first);
        opening = first;
        at = this.#blanks(at + 1);
        isKey = opening === openBrace;
        if (bytes[at] !== opening + toClosing) continue;
        at++;
        opening = this.#open[--depth] as number;
      } else at = scalarEnd(bytes, at, first);

      for (;;) {
        if (depth === outside) {
          this.at = at;
          return;
        }
        if (name !== null && depth === outside + 1) {
          into[name] = this.valueAt(start, at, escaped, name, true);
          name = null;
        }
        at = this.#blanks(at);
        const byte = bytes[at] as number;
        at++;
        if (byte === comma) {
          at = this.#blanks(at);
          isKey = opening === openBrace;
          break;
        }
        if (byte !== opening + toClosing) throw new NotJson();
        opening = this.#open[--depth] as number;
      }
    }
  }

  /** The value of a member that lies between two places, as `read` (or `pick`, if so) gives it; `escaped` matters for a text. */
  valueAt(start: number, end: number, escaped: boolean, name: string, isPicked: boolean): unknown {
    return this.bytes[start] === quote
      ? textBetween(this.bytes, start, end, escaped)
      : this.#noText(name, isPicked, start, end);
  }

  /** The value between two places, as `JSON.parse` gives it. */
  #noText(name: string, isPicked: boolean, start: number, end: number): unknown {
    const { bytes } = this;
    const isComposed = ((bytes[start] as number) | bracketBit) === openBrace;
    const value = isComposed
      ? this.#composed.parse(bytes, start, end)
      : (JSON.parse(bytes.toString('latin1', start, end)) as unknown);
    if (isComposed || (typeof value === 'number' && !isExact(value)))
      (this.texts ??= []).push({ name, isPicked, start, end });
    return value;
  }

  /** Known name of the key between two positions, with its quotes; or null. */
  nameAt<Name extends string>(start: number, end: number, escaped: boolean, names: NameTable<Name>): Name | null {
    if (!escaped) return names.find(this.bytes, start + 1, end - 1);
    return names.named(textBetween(this.bytes, start, end, true));
  }

  #push(depth: number, opening: number): void {
    this.#reach(depth);
    if (depth >= this.#open.length) this.#open = withCapacityFor(depth, this.#open);
    this.#open[depth] = opening;
  }

  #reach(depth: number): void {
    if (depth > this.deepest) this.deepest = depth;
    if (depth > this.#depthMax) throw new NotJson();
  }

  #blanks(from: number): number {
    const { bytes } = this;
    const length = this.#length;
    let at = from;
    for (; at < length; at++) {
      const byte = bytes[at] as number;
      if (byte > 0x20) return at;
      if (isBlank[byte] === 0) break;
    }
    throw this.#notJson(at);
  }

  #notJson(at: number): NotJson {
    this.#isPastEnd = at >= this.#length;
    return new NotJson();
  }

  /** Position after the string whose opening quote is at `start`. */
  #string(start: number): number {
    this.#escaped = false;
    let at = start + 1;
    for (;;) {
      const byte = this.#byteAt(at);
      if (byte === quote) return at + 1;
      if (byte >= 0x20 && byte !== backslash) at++;
      else {
        at = this.#escape(at);
        this.#escaped = true;
      }
    }
  }

  /** Position after the escape at `at`. @throws {NotJson} when there is none: the text ends, or holds a control character. */
  #escape(at: number): number {
    const { bytes } = this;
    if (this.#byteAt(at) !== backslash || isEscape[this.#byteAt(at + 1)] === 0) throw this.#notJson(at + 1);
    if (bytes[at + 1] !== letterU) return at + 2;
    const end = at + 6;
    if (end > this.#length) throw this.#notJson(end);
    for (let digit = at + 2; digit < end; digit++) if (isHexDigit[bytes[digit] as number] === 0) throw new NotJson();
    return end;
  }

  /** 0 after the end of the text, which no JSON token begins with. */
  #byteAt(at: number): number {
    return at < this.#length ? (this.bytes[at] as number) : 0;
  }
}
