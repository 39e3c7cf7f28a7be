import { rawJsonNumber } from '@millrace/json/exact-json.ts';
import { hasTooManyValues } from './value-count.ts';

/** Text that `JSON.parse` would change: a number with a point, an exponent or 16 digits, `-0`, a key that is a whole number. */
const mayChange = /\d{16}|\d[.eE]|-0|"(?:\d|\\u003\d)+"/;
/** Numbers that a double prints as they were written. */
const plainNumber = /^(?:0|-?[1-9]\d{0,14})$/;

/**
 * The value of a JSON text, or undefined when it is none, or has more values than may be parsed (`valuesMax`). Numbers keep their digits and objects the order of their keys
 * (contract/decisions 49): numbers that a double would print otherwise are raw, objects may be maps. Of a key that is there
 * twice the last value counts, at the first place, as in Python. Depth costs no stack.
 */
export function parseJsonText(text: string): unknown {
  if (hasTooManyValues(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return mayChange.test(text) ? new OrderedReader(text).read() : value;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** `parseJsonText` of a text that may be an array or an object; undefined for all others, and these are not read. */
export function parseContainerText(text: string): unknown {
  return mayBeContainer(text) ? parseJsonText(text) : undefined;
}

/** False for texts that are surely no JSON of an array or an object. */
export function mayBeContainer(text: string): boolean {
  return /^[ \t\n\r]*[[{]/.test(text);
}

type Container = unknown[] | Map<string, unknown>;

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const comma = 0x2c;

/** Reads a text that is known to be JSON. */
class OrderedReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  read(): unknown {
    const open: Container[] = [];
    /** The key of the member that is being read in each of them; nothing in arrays. */
    const keys: string[] = [];
    for (;;) {
      let value = this.#scalarOrOpened();
      if (isContainer(value) && !this.#closes()) {
        open.push(value);
        keys.push(value instanceof Map ? this.#key() : '');
        continue;
      }
      for (;;) {
        const parent = open.at(-1);
        if (parent === undefined) return value;
        if (parent instanceof Map) parent.set(keys.at(-1) as string, value);
        else parent.push(value);
        if (!this.#closes()) {
          this.#at++;
          if (parent instanceof Map) keys[keys.length - 1] = this.#key();
          break;
        }
        value = open.pop();
        keys.pop();
      }
    }
  }

  /** The scalar that follows, or the container that begins, still empty. */
  #scalarOrOpened(): unknown {
    const first = this.#next();
    if (first === quote) return this.#string();
    const start = this.#at++;
    if (first === openBracket) return [];
    if (first === openBrace) return new Map<string, unknown>();
    while (!endsScalar(this.#text.charCodeAt(this.#at))) this.#at++;
    const word = this.#text.slice(start, this.#at);
    if (word === 'true' || word === 'false') return word === 'true';
    if (word === 'null') return null;
    return word.length < 16 && plainNumber.test(word) ? Number(word) : rawJsonNumber(word);
  }

  /** Reads a closing bracket, if one is next. */
  #closes(): boolean {
    const next = this.#next();
    if (next !== closeBracket && next !== closeBrace) return false;
    this.#at++;
    return true;
  }

  #key(): string {
    this.#next();
    const key = this.#string();
    this.#next();
    this.#at++;
    return key;
  }

  #string(): string {
    const start = this.#at + 1;
    let end = this.#text.indexOf('"', start);
    while (this.#isEscaped(end)) end = this.#text.indexOf('"', end + 1);
    this.#at = end + 1;
    const inside = this.#text.slice(start, end);
    return inside.includes('\\') ? (JSON.parse(`"${inside}"`) as string) : inside;
  }

  #isEscaped(at: number): boolean {
    let backslashes = 0;
    while (this.#text.charCodeAt(at - 1 - backslashes) === backslash) backslashes++;
    return backslashes % 2 === 1;
  }

  /** The code of the next character after white space; it is not read. */
  #next(): number {
    let code = this.#text.charCodeAt(this.#at);
    while (code <= 0x20) code = this.#text.charCodeAt(++this.#at);
    return code;
  }
}

/** True for what stands behind a number or a word, and for the end of the text. */
function endsScalar(code: number): boolean {
  return code <= 0x20 || code === comma || code === closeBracket || code === closeBrace || Number.isNaN(code);
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && (Array.isArray(value) || value instanceof Map);
}
