import { rawJsonNumber } from '@millrace/json/exact-json.ts';

/** Text that `JSON.parse` would change: a number with a point, an exponent or 16 digits, `-0`, a key that is a whole number. */
const mayChange = /\d{16}|\d[.eE]|-0|"(?:\d|\\u003\d)+"/;
/** Numbers that a double prints as they were written. */
const plainNumber = /^(?:0|-?[1-9]\d{0,14})$/;

/**
 * The value of a JSON text, or undefined when it is none. Numbers keep their digits and objects the order of their keys
 * (contract/decisions 49): numbers that a double would print otherwise are raw, objects may be maps. Of a key that is there
 * twice the last value counts, at the first place, as in Python. Depth costs no stack.
 */
export function parseJsonText(text: string): unknown {
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
  return /^[ \t\n\r]*[[{]/.test(text) ? parseJsonText(text) : undefined;
}

type Container = unknown[] | Map<string, unknown>;

const scalarEnd = /[^\s,\]}]*/y;

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
    const first = this.#skipBlanks();
    if (first === '"') return this.#string();
    if (first === '[' || first === '{') {
      this.#at++;
      return first === '[' ? [] : new Map<string, unknown>();
    }
    scalarEnd.lastIndex = this.#at;
    const word = scalarEnd.exec(this.#text)?.[0] ?? '';
    this.#at += word.length;
    if (first === 't' || first === 'f') return first === 't';
    if (first === 'n') return null;
    return plainNumber.test(word) ? Number(word) : rawJsonNumber(word);
  }

  /** Reads a closing bracket, if one is next. */
  #closes(): boolean {
    const next = this.#skipBlanks();
    if (next !== ']' && next !== '}') return false;
    this.#at++;
    return true;
  }

  #key(): string {
    this.#skipBlanks();
    const key = this.#string();
    this.#skipBlanks();
    this.#at++;
    return key;
  }

  #string(): string {
    const start = this.#at;
    let end = start;
    do end = this.#text.indexOf('"', end + 1);
    while (this.#isEscaped(end));
    this.#at = end + 1;
    const inside = this.#text.slice(start + 1, end);
    return inside.includes('\\') ? (JSON.parse(`"${inside}"`) as string) : inside;
  }

  #isEscaped(at: number): boolean {
    let backslashes = 0;
    while (this.#text[at - 1 - backslashes] === '\\') backslashes++;
    return backslashes % 2 === 1;
  }

  /** The next character after white space; it is not read. */
  #skipBlanks(): string | undefined {
    for (;;) {
      const character = this.#text[this.#at];
      if (character !== ' ' && character !== '\n' && character !== '\t' && character !== '\r') return character;
      this.#at++;
    }
  }
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && (Array.isArray(value) || value instanceof Map);
}
