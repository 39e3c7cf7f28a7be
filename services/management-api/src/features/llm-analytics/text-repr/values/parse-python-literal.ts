import { measureJson } from '@millrace/json/measure-json.ts';
import { rawJsonNumber } from '@millrace/json/exact-json.ts';
import { mayHaveTooManyValues } from './value-count.ts';
import { parseJsonText } from './parse-json.ts';
import { pythonString } from './python-string.ts';

/** More brackets in one another are a syntax error of Python. */
const levelsMax = 200;

/** Python prints no whole number of more digits; a million hexadecimal ones would take seconds. */
const digitsMax = 4300;

/** JSON of which Python reads something else, or nothing: a word, an escape that Python does not have. */
const likelyOther = /true|false|null|\\\//;

/** The text is no literal, or one that JSON cannot hold (a set, bytes, a complex number). One for all: the stack of an error of its own costs 10 µs. */
const noLiteral = new Error('no literal');

/**
 * The list or dict that a text is as a Python literal, as `ast.literal_eval` reads it: JSON without `true`, `false`, `null`
 * qualifies. Undefined for every other text, for values that JSON cannot hold, and for more values than may be parsed. Dicts are maps, tuples arrays, and numbers
 * keep their digits as in `parseJsonText`.
 */
export function parsePythonLiteral(text: string): unknown {
  if (!/^[ \t\f\n\r(]*[[{]/.test(text) || text.includes('\0') || !text.isWellFormed()) return undefined;
  const alike =
    !likelyOther.test(text) && measureJson(Buffer.from(text)).depth <= levelsMax ? parseJsonText(text) : undefined;
  if (alike !== undefined) return alike;
  if (mayHaveTooManyValues(text)) return undefined;
  try {
    const value = new LiteralReader(text).read();
    return Array.isArray(value) || value instanceof Map ? value : undefined;
  } catch (error) {
    if (error === noLiteral) return undefined;
    throw error;
  }
}

/** A tuple: an array in JSON, but no list. */
class Tuple {
  readonly items: unknown[];

  constructor(items: unknown[]) {
    this.items = items;
  }
}

const blanks = /(?:[ \t\f\n\r]|#[^\n]*(?:\n|$))*/y;
const word = /(?:True|False|None)(?![A-Za-z0-9_])/y;
const radixNumber = /0(?:[xX](?:_?[0-9a-fA-F])+|[oO](?:_?[0-7])+|[bB](?:_?[01])+)(?![A-Za-z0-9_.])/y;
const decimal = /(?:(?:\d(?:_?\d)*)(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][+-]?\d(?:_?\d)*)?(?![A-Za-z0-9_.])/y;
const constants: Readonly<Record<string, boolean | null>> = { True: true, False: false, None: null };

class LiteralReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): unknown {
    const value = this.#value(0);
    if (this.#next() !== '') throw noLiteral;
    return value;
  }

  #value(depth: number): unknown {
    if (depth >= levelsMax) throw noLiteral;
    const first = this.#next();
    if (first === '[') return this.#items(']', depth).items;
    if (first === '{') return this.#dict(depth);
    if (first === '(') return this.#parenthesized(depth);
    if (first === '-' || first === '+') return this.#signed(first);
    const constant = this.#match(word);
    if (constant !== null) return constants[constant];
    if (/[\d.]/.test(first)) return this.#number('');
    return this.#strings();
  }

  #parenthesized(depth: number): unknown {
    const { items, hasComma } = this.#items(')', depth);
    return items.length === 1 && !hasComma ? items[0] : new Tuple(items);
  }

  /** Items up to the closing bracket, a comma after the last one or not. */
  #items(closing: string, depth: number): { items: unknown[]; hasComma: boolean } {
    const items: unknown[] = [];
    let hasComma = false;
    this.#at++;
    while (this.#next() !== closing) {
      if (items.length > 0 && !hasComma) throw noLiteral;
      items.push(inJson(this.#value(depth + 1)));
      hasComma = this.#skip(',');
    }
    this.#at++;
    return { items, hasComma };
  }

  #dict(depth: number): unknown {
    const dict = new Map<string, unknown>();
    let wantsComma = false;
    this.#at++;
    while (this.#next() !== '}') {
      if (wantsComma) throw noLiteral;
      const key = keyText(this.#value(depth + 1));
      if (!this.#skip(':')) throw noLiteral;
      dict.set(key, inJson(this.#value(depth + 1)));
      wantsComma = !this.#skip(',');
    }
    this.#at++;
    return dict;
  }

  #signed(sign: string): unknown {
    this.#at++;
    if (!/[\d.]/.test(this.#next())) throw noLiteral;
    return this.#number(sign === '-' ? '-' : '');
  }

  #number(sign: string): unknown {
    const radix = this.#match(radixNumber);
    if (radix !== null && radix.length > digitsMax) throw noLiteral;
    if (radix !== null) return numberOf(sign + String(BigInt(radix.replaceAll('_', ''))));
    const digits = this.#match(decimal)?.replaceAll('_', '');
    if (digits === undefined || /^0+[1-9]\d*$/.test(digits)) throw noLiteral;
    return numberOf(sign + asJsonNumber(digits));
  }

  /** A string, or several behind one another, which Python joins. */
  #strings(): string {
    let joined = '';
    let count = 0;
    for (this.#next(); ; this.#next()) {
      const found = pythonString(this.#text, this.#at);
      if (found === null) break;
      joined += found.value;
      this.#at = found.end;
      count++;
    }
    if (count === 0) throw noLiteral;
    return joined;
  }

  /** The next character after white space and comments; empty at the end. */
  #next(): string {
    this.#match(blanks);
    return this.#text[this.#at] ?? '';
  }

  #skip(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at++;
    return true;
  }

  #match(pattern: RegExp): string | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? null;
    this.#at += found?.length ?? 0;
    return found;
  }
}

/** A value as JSON holds it. */
function inJson(value: unknown): unknown {
  return value instanceof Tuple ? value.items : value;
}

/** The key that `json.dumps` makes of a dict's key. */
function keyText(key: unknown): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'boolean' || typeof key === 'number' || key === null) return String(key);
  const text: unknown = typeof key === 'object' && 'rawJSON' in key ? key.rawJSON : undefined;
  if (typeof text !== 'string') throw noLiteral;
  return text;
}

/** A decimal number of Python in the grammar of JSON: `1.`, `.5` and `00` are written otherwise there. */
function asJsonNumber(digits: string): string {
  return digits
    .replace(/^0+(?=\d)/, '')
    .replace(/^\./, '0.')
    .replace(/\.(?!\d)/, '.0');
}

function numberOf(text: string): unknown {
  return /^(?:0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : rawJsonNumber(text);
}
