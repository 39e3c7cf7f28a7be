import {
  backslash,
  closeBrace,
  colon,
  comma,
  lowerU,
  openBrace,
  bracketBit,
  quote,
  space,
} from '@millrace/json/bytes.ts';
import { json } from './python-text.ts';
import { TextTooLarge, textUnitsMax } from './text-too-large.ts';

const slash = 0x2f;
const firstBeyond = 0x7f;
const hexDigits = Buffer.from('0123456789abcdef');

/**
 * The members of an object that is JSON text: their keys, and their values as `json` prints them of `parseJsonText`. Its values are not made, but for
 * the judgement of `JSON.parse`: a third of the time. Null for a text that is no JSON of an object, and for one with a key twice in an object.
 * @throws {TextTooLarge}
 */
export function printedMembers(text: string): Map<string, string> | null {
  const keys = keysIn(text);
  if (keys === 0 || text.includes('\x7f')) return null;
  const printer = new Printer(text);
  const members = printer.members();
  return printer.keys === keys ? members : null;
}

/** The number of keys of all objects; 0 for a text that is no JSON of an object. */
function keysIn(text: string): number {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return 0;
    throw error;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 0;
  let count = 0;
  const open: object[] = [value];
  for (let current = open.pop(); current !== undefined; current = open.pop()) {
    const members: readonly unknown[] = Array.isArray(current) ? current : Object.values(current);
    if (members !== current) count += members.length;
    for (const member of members) if (typeof member === 'object' && member !== null) open.push(member);
  }
  return count;
}

/** Prints a text that is known to be JSON of an object, by its UTF-16 units. */
class Printer {
  readonly #text: string;
  readonly #units: Uint16Array;
  readonly #out: Buffer;
  #at = 0;
  #end = 0;
  /** Number of keys so far. */
  keys = 0;

  constructor(text: string) {
    this.#text = text;
    const units = new Uint16Array(text.length);
    Buffer.from(units.buffer).write(text, 'utf16le');
    this.#units = units;
    // A separator becomes two bytes, a character beyond ASCII six; UTF-8 has at least one byte more for each of these.
    this.#out = Buffer.allocUnsafeSlow(2 * text.length + 5 * (Buffer.byteLength(text) - text.length));
  }

  members(): Map<string, string> {
    const members = new Map<string, string>();
    for (this.#skipTo(openBrace); this.#next() !== closeBrace;) {
      if (this.#next() === comma) this.#at++;
      this.#next();
      const keyStart = this.#at;
      const outStart = this.#end;
      this.#string();
      this.#end = outStart;
      const key = JSON.parse(this.#text.slice(keyStart, this.#at)) as string;
      this.#skipTo(colon);
      this.keys++;
      this.#value();
      members.set(key, this.#out.toString('latin1', outStart, this.#end));
      if (this.#end > textUnitsMax) throw new TextTooLarge();
    }
    return members;
  }

  /** The unit that follows white space. */
  #next(): number {
    while ((this.#units[this.#at] as number) <= space) this.#at++;
    return this.#units[this.#at] as number;
  }

  #skipTo(unit: number): void {
    while (this.#units[this.#at] !== unit) this.#at++;
    this.#at++;
  }

  /** Writes a value, up to the comma or the brace behind it. */
  #value(): void {
    const [units, out] = [this.#units, this.#out];
    let [at, end, depth, keys] = [this.#at, this.#end, 0, 0];
    for (let unit = units[at] as number; ; unit = units[at] as number) {
      if (unit === quote) {
        this.#at = at;
        this.#end = end;
        this.#string();
        at = this.#at;
        end = this.#end;
        continue;
      }
      if (depth === 0 && (unit === comma || unit === closeBrace)) break;
      at++;
      if (unit <= space) continue;
      out[end++] = unit;
      if (unit === comma || unit === colon) out[end++] = space;
      if (unit === colon) keys++;
      else if ((unit | bracketBit) === openBrace) depth++;
      else if ((unit | bracketBit) === closeBrace) depth--;
    }
    this.#at = at;
    this.#end = end;
    this.keys += keys;
  }

  #string(): void {
    const [units, out] = [this.#units, this.#out];
    let at = this.#at + 1;
    let end = this.#end;
    out[end++] = quote;
    for (let unit = units[at] as number; unit !== quote; unit = units[at] as number) {
      at++;
      if (unit < firstBeyond && unit !== backslash) out[end++] = unit;
      else if (unit !== backslash) end = this.#unit(unit, end);
      else if (units[at] === lowerU) {
        end = this.#unit(Number.parseInt(this.#text.slice(at + 1, at + 5), 16), end);
        at += 5;
      } else {
        if (units[at] !== slash) out[end++] = backslash;
        out[end++] = units[at++] as number;
      }
    }
    out[end++] = quote;
    this.#at = at + 1;
    this.#end = end;
  }

  /** Writes a unit as Python escapes it. Returns the end of what is written. */
  #unit(unit: number, start: number): number {
    if (unit < firstBeyond) {
      const printed = json(String.fromCharCode(unit));
      return start + this.#out.write(printed.slice(1, -1), start, 'latin1');
    }
    this.#out[start] = backslash;
    this.#out[start + 1] = lowerU;
    for (let digit = 0; digit < 4; digit++)
      this.#out[start + 2 + digit] = hexDigits[(unit >> (12 - 4 * digit)) & 15] as number;
    return start + 6;
  }
}
