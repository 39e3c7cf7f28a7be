/** Where something lies in the bytes of a body: first byte, and the byte behind the last. */
export interface Span {
  start: number;
  end: number;
}

/** Where an element of a batch lies, and those of its values that travel as the client wrote them. */
export interface EventSpan extends Span {
  /** Levels of nesting: 0 for a scalar, 1 for a flat object. */
  depth: number;
  properties: Span | null;
  set: Span | null;
  setOnce: Span | null;
  unset: Span | null;
}

export interface BodyScan {
  /** The body itself, seen as one event. */
  whole: EventSpan;
  /** The elements when the body is an array, or an object whose `batch` is one. */
  items: EventSpan[] | null;
  /** Deepest level of nesting met so far. Right up to the first fault, also when `complete` is false. */
  deepest: number;
  /** Keys of objects, up to the first fault. */
  keys: number;
  /** True when there are more elements than allowed: then the rest was not looked at. */
  overfull: boolean;
  /** False when the text is not JSON: a JSON parser will refuse it, at this place or before. */
  complete: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const openBrace = 0x7b;
const closeBracket = 0x5d;
const closeBrace = 0x7d;
/** `[` and `{` differ in this bit alone, and so do `]` and `}`. */
const bracketBit = 0x20;

type Field = 'properties' | 'set' | 'setOnce' | 'unset' | 'batch';

const fields: readonly { key: Buffer; field: Field }[] = [
  { key: Buffer.from('properties'), field: 'properties' },
  { key: Buffer.from('$set'), field: 'set' },
  { key: Buffer.from('$set_once'), field: 'setOnce' },
  { key: Buffer.from('$unset'), field: 'unset' },
  { key: Buffer.from('batch'), field: 'batch' },
];

const fieldLengths = new Set(fields.map(({ key }) => key.length));

class NotJson extends Error {}

/**
 * Finds, in one pass and before any parsing, where the events of a body lie and how deep they are nested. It looks at
 * brackets and strings only; what it takes for granted is checked by the JSON parser afterwards. Of equal keys the last
 * one wins, as in `JSON.parse`. Stops at the first level beyond `depthMax` (contract/decisions 26) and behind the first
 * `itemsMax` elements, so that a body of nothing but commas takes no memory.
 */
export function scanBody(bytes: Uint8Array, depthMax: number, itemsMax: number): BodyScan {
  const scanner = new Scanner(bytes, depthMax, itemsMax);
  try {
    scanner.scanTop();
    return scanner.result(true);
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    return scanner.result(false);
  }
}

function emptySpan(start: number): EventSpan {
  return { start, end: start, depth: 0, properties: null, set: null, setOnce: null, unset: null };
}

class Scanner {
  private readonly bytes: Uint8Array;
  private readonly length: number;
  private readonly depthMax: number;
  private readonly itemsMax: number;
  private keys = 0;
  private overfull = false;
  private at = 0;
  /** Deepest level of the body, and of the event that is being scanned (both counted from the top). */
  private deepest = 0;
  private eventDeepest = 0;
  private whole = emptySpan(0);
  private items: EventSpan[] | null = null;

  constructor(bytes: Uint8Array, depthMax: number, itemsMax: number) {
    this.bytes = bytes;
    this.length = bytes.length;
    this.depthMax = depthMax;
    this.itemsMax = itemsMax;
  }

  result(complete: boolean): BodyScan {
    return { whole: this.whole, items: this.items, deepest: this.deepest, keys: this.keys, overfull: this.overfull, complete };
  }

  scanTop(): void {
    const first = this.skipBlanks();
    this.whole.start = this.at;
    if (first === openBracket) this.items = this.scanItems(0);
    else if (first === openBrace) this.scanEvent(this.whole, 0, true);
    else this.skipValue(first, 0);
    this.whole.end = this.at;
    this.whole.depth = this.deepest;
  }

  /** The elements of the array at `at`, which lies below `depth` levels. */
  private scanItems(depth: number): EventSpan[] {
    const items: EventSpan[] = [];
    this.enter(depth + 1);
    this.at++;
    let next = this.skipBlanks();
    while (next !== closeBracket) {
      const item = emptySpan(this.at);
      this.eventDeepest = depth + 1;
      if (next === openBrace) this.scanEvent(item, depth + 1, false);
      else this.skipValue(next, depth + 1);
      item.end = this.at;
      item.depth = this.eventDeepest - depth - 1;
      if (items.push(item) > this.itemsMax) {
        this.overfull = true;
        throw new NotJson();
      }
      next = this.skipBlanks();
      if (next === comma) {
        this.at++;
        next = this.skipBlanks();
      } else if (next !== closeBracket) throw new NotJson();
    }
    this.at++;
    return items;
  }

  /** The object at `at`: notes where its fields lie. Only the body itself (`top`) may hold a batch. */
  private scanEvent(event: EventSpan, depth: number, top: boolean): void {
    this.enter(depth + 1);
    this.at++;
    let next = this.skipBlanks();
    while (next !== closeBrace) {
      if (next !== quote) throw new NotJson();
      const field = this.scanKey();
      if (this.skipBlanks() !== colon) throw new NotJson();
      this.at++;
      next = this.skipBlanks();
      const start = this.at;
      if (field === 'batch' && top) {
        this.items = null;
        if (next === openBracket) this.items = this.scanItems(depth + 1);
        else this.skipValue(next, depth + 1);
      } else {
        this.skipValue(next, depth + 1);
        if (field !== null && field !== 'batch') event[field] = { start, end: this.at };
      }
      next = this.skipBlanks();
      if (next === comma) {
        this.at++;
        next = this.skipBlanks();
      } else if (next !== closeBrace) throw new NotJson();
    }
    this.at++;
  }

  /** Reads the key at `at`: the field that it names, or null. */
  private scanKey(): Field | null {
    this.keys++;
    const start = this.at + 1;
    const escaped = this.skipString();
    const end = this.at - 1;
    if (escaped) return this.fieldOfEscapedKey(start - 1, this.at);
    if (!fieldLengths.has(end - start)) return null;
    for (const { key, field } of fields) if (key.length === end - start && this.equals(key, start)) return field;
    return null;
  }

  private equals(key: Buffer, start: number): boolean {
    for (let index = 0; index < key.length; index++) if (this.bytes[start + index] !== key[index]) return false;
    return true;
  }

  private fieldOfEscapedKey(start: number, end: number): Field | null {
    let name: unknown;
    try {
      name = JSON.parse(Buffer.from(this.bytes.subarray(start, end)).toString());
    } catch {
      throw new NotJson();
    }
    return fields.find(({ key }) => key.toString() === name)?.field ?? null;
  }

  /** Passes the string at `at`; answers whether it holds an escape. */
  private skipString(): boolean {
    const { bytes, length } = this;
    let escaped = false;
    for (let at = this.at + 1; at < length; at++) {
      const byte = bytes[at];
      if (byte === quote) {
        this.at = at + 1;
        return escaped;
      }
      if (byte === backslash) {
        escaped = true;
        at++;
      }
    }
    this.at = length;
    throw new NotJson();
  }

  private skipValue(first: number, depth: number): void {
    if (first === quote) this.skipString();
    else if ((first | bracketBit) === openBrace) this.skipContainer(depth);
    else this.skipScalar();
  }

  private skipScalar(): void {
    const { bytes, length } = this;
    const start = this.at;
    let at = start;
    for (; at < length; at++) {
      const byte = bytes[at] as number;
      if (byte <= 0x20 || byte === comma || byte === closeBrace || byte === closeBracket) break;
    }
    if (at === start) throw new NotJson();
    this.at = at;
  }

  /** Passes the object or array at `at`. The hot loop: about 1 ns a byte. */
  private skipContainer(outside: number): void {
    const { bytes, length } = this;
    let depth = outside;
    let deepest = outside;
    let keys = 0;
    for (let at = this.at; at < length; at++) {
      const byte = bytes[at] as number;
      if (byte === quote) {
        for (at++; at < length; at++) {
          const inside = bytes[at] as number;
          if (inside === quote) break;
          if (inside === backslash) at++;
        }
      } else if ((byte | bracketBit) === openBrace) {
        if (++depth > deepest) {
          deepest = depth;
          if (deepest > this.depthMax) break;
        }
      } else if ((byte | bracketBit) === closeBrace && --depth === outside) {
        this.at = at + 1;
        this.keys += keys;
        this.enter(deepest);
        return;
      } else if (byte === colon) keys++;
    }
    this.enter(deepest);
    throw new NotJson();
  }

  private enter(depth: number): void {
    if (depth > this.deepest) this.deepest = depth;
    if (depth > this.eventDeepest) this.eventDeepest = depth;
    if (depth > this.depthMax) throw new NotJson();
  }

  /** Passes white space; answers with the byte behind it. */
  private skipBlanks(): number {
    const { bytes, length } = this;
    let { at } = this;
    for (; at < length; at++) {
      const byte = bytes[at] as number;
      if (byte > 0x20) {
        this.at = at;
        return byte;
      }
    }
    this.at = length;
    throw new NotJson();
  }
}
