import { isUtf8 } from 'node:buffer';
import { join } from 'node:path';
import { mapValueBytesMax } from '@millrace/contracts/property-map.ts';
import { loadAssembled } from '@millrace/runtime/web-assembly.ts';
import {
  backslash,
  closeBrace,
  closeBracket,
  isOfNumber,
  openBrace,
  openBracket,
  quote,
} from '@millrace/json/bytes.ts';
import { endOfPlain } from '@millrace/json/plain-json.ts';
import { valueText } from './property-map.ts';
import { readJson } from '@millrace/json/read-json.ts';
import { textOnlyCount, watchedNames } from './watched-names.ts';

/*
 * WebAssembly compares and copies 16 bytes of a text at once. The source is scan-properties.wat, in WebAssembly's own text form.
 * After a change of it:
 *
 *     services/consumer/node_modules/.bin/wat2wasm services/consumer/src/properties/scan-properties.wat --output services/consumer/src/properties/scan-properties.wasm
 */
interface ScanModule {
  memory: { buffer: ArrayBuffer };
  hash: (at: number, length: number) => number;
  scan: (at: number, length: number) => number;
}

/** The result of a scan of an event's properties. Its arrays are shared with other events and never change. */
export interface ScannedProperties {
  /** Number of members of the object. */
  readonly members: number;
  /** Entries of the column `properties` in ClickHouse's own form: `count` of them from `start` to `end` of `bytes`. */
  readonly count: number;
  readonly bytes: Buffer;
  readonly start: number;
  readonly end: number;
  /** Three numbers for each watched member, from `from` to `to`: its name's index, and where its value begins and ends. */
  readonly ranges: Int32Array;
  readonly from: number;
  readonly to: number;
  /**
   * A hash of 52 bits of the names and the kinds of their values, in order. Properties of one shape have the same names, and by its first
   * characters each value has the same JSON type.
   */
  readonly shape: number;
}

/** Addresses in the memory of the module, in bytes. */
const slotsAt = 1024;
const slots = 1024;
const noName = 255;
const namesAt = 2048;
const nameBytes = 12;
const nameTextsAt = 4096;
const seenAt = 8192;
const rangesAt = 16_384;
const bodyAt = 32_768;
const entriesAt = 1_114_112;

/** Index of each word at the beginning of that memory. */
const word = {
  value: 0,
  end: 1,
  members: 2,
  entries: 3,
  rangesEnd: 4,
  round: 7,
  textOnly: 8,
  bodyEnd: 9,
  shapeLow: 10,
  shapeHigh: 11,
} as const;
const shapeHighBits = 0xf_ffff;

/** States that `scan` of the module returns. */
const isDone = 0;
const isLeftToJavaScript = 1;

const fromTheBeginning = -2;
const noEntry = -1;

/** Larger properties are parsed: the memory of the module never grows. */
const scannedBytesMax = 1_048_576;
/** Bytes after a body that the module may read. */
const behindBytes = 16;

const outputBytes = 256 * 1024;
const rangesLength = 16 * 1024;

/** Thrown for properties that this scan cannot prove, whether they are JSON or not. */
class Unproven extends Error {}
const unproven = new Unproven('left to the slow way');

/**
 * Scans the properties of an event once: proves that they are a JSON object, writes the entries of the column `properties` as
 * ClickHouse wants them, and records the ranges of the watched members.
 *
 * It returns null for unusual properties: no UTF-8, names with escapes or longer than 127 bytes, a name that comes twice, more
 * than 256 members, more than a megabyte. `JSON.parse` decides about those.
 *
 * For each value the entry has the same bytes as `propertyMap` of the parsed properties makes. A plain text, a number that is
 * written as JavaScript prints it, `true`, `false` and `null` are copied; every other value is parsed by itself.
 */
export function scanProperties(body: Buffer): ScannedProperties | null {
  if (body.length > scannedBytesMax || !isUtf8(body)) return null;
  try {
    return scanner.scan(body);
  } catch (error) {
    if (error === unproven || error instanceof SyntaxError) return null;
    throw error;
  }
}

class PropertyScanner {
  readonly #scan: ScanModule['scan'];
  /** The module's memory. */
  readonly #bytes: Buffer;
  readonly #words: Int32Array;
  #round = 0;
  #body: Buffer = Buffer.alloc(0);
  /** Entries are copied here; `#outputEnd` is the next free byte. A full buffer is replaced, and lives as long as its entries are used. */
  #output = Buffer.allocUnsafeSlow(outputBytes);
  #outputEnd = 0;
  #ranges = new Int32Array(rangesLength);
  #rangesEnd = 0;

  constructor({ memory, hash, scan }: ScanModule) {
    this.#scan = scan;
    this.#bytes = Buffer.from(memory.buffer);
    this.#words = new Int32Array(memory.buffer);
    this.#loadNames(hash);
  }

  scan(body: Buffer): ScannedProperties {
    this.#load(body);
    let state = this.#scan(bodyAt, fromTheBeginning);
    while (state === isLeftToJavaScript) {
      const start = (this.#words[word.value] as number) - bodyAt;
      const plainEnd = endOfPlain(body, start);
      const end = plainEnd === -1 ? this.#endOfValue(start) : plainEnd;
      state = this.#scan(bodyAt + end, plainEnd === -1 ? this.#writeParsed(start, end) : this.#writeCopy(start, end));
    }
    if (state !== isDone) throw unproven;
    return this.#result();
  }

  #load(body: Buffer): void {
    this.#body = body;
    this.#bytes.set(body, bodyAt);
    this.#bytes.fill(0, bodyAt + body.length, bodyAt + body.length + behindBytes);
    const words = this.#words;
    words[word.end] = entriesAt;
    words[word.members] = 0;
    words[word.entries] = 0;
    words[word.rangesEnd] = rangesAt;
    words[word.shapeLow] = words[word.shapeHigh] = 0;
    words[word.bodyEnd] = bodyAt + body.length;
    words[word.round] = this.#nextRound();
  }

  /** Starts a round. Names that were seen in another round count for nothing. */
  #nextRound(): number {
    if (++this.#round < 2 ** 31) return this.#round;
    this.#bytes.fill(0, seenAt, rangesAt);
    return (this.#round = 1);
  }

  #result(): ScannedProperties {
    const words = this.#words;
    const entriesEnd = words[word.end] as number;
    const start = this.#outputStart(entriesEnd - entriesAt);
    this.#bytes.copy(this.#output, start, entriesAt, entriesEnd);
    this.#outputEnd = start + entriesEnd - entriesAt;
    const from = this.#copyRanges(rangesAt / 4, (words[word.rangesEnd] as number) / 4);
    const [members, count] = [words[word.members] as number, words[word.entries] as number];
    return {
      members,
      count,
      bytes: this.#output,
      start,
      end: this.#outputEnd,
      ranges: this.#ranges,
      from,
      to: this.#rangesEnd,
      shape: ((words[word.shapeHigh] as number) & shapeHighBits) * 2 ** 32 + ((words[word.shapeLow] as number) >>> 0),
    };
  }

  #outputStart(size: number): number {
    if (this.#outputEnd + size <= this.#output.length) return this.#outputEnd;
    this.#output = Buffer.allocUnsafeSlow(Math.max(outputBytes, size));
    return 0;
  }

  #copyRanges(start: number, end: number): number {
    if (this.#rangesEnd + end - start > this.#ranges.length) {
      this.#ranges = new Int32Array(rangesLength);
      this.#rangesEnd = 0;
    }
    const from = this.#rangesEnd;
    for (let at = start; at < end; at++) this.#ranges[this.#rangesEnd++] = this.#words[at] as number;
    return from;
  }

  /** Position after the value at `start`, which the module does not scan: a text with escapes, an array, an object, or a number. */
  #endOfValue(start: number): number {
    const first = this.#body[start];
    if (first === quote) return this.#endOfString(start + 1);
    return first === openBrace || first === openBracket ? this.#endOfNested(start) : this.#endOfNumber(start);
  }

  /** Copies a value into its entry, after the two bytes that the module puts in front. Returns the number of bytes. */
  #writeCopy(start: number, end: number): number {
    return end - start > mapValueBytesMax ? noEntry : this.#body.copy(this.#bytes, this.#valueAt, start, end);
  }

  /** Parses a value and writes its text into the entry. Returns the number of bytes. @throws {SyntaxError} when it is no JSON. */
  #writeParsed(start: number, end: number): number {
    const text = valueText(readJson(this.#body.toString('utf8', start, end)));
    if (text === null) throw unproven;
    if (text.length > mapValueBytesMax) return noEntry;
    // The text may be longer than its JSON, and the rest of the body must fit after it.
    if (this.#valueAt + text.length * 3 + this.#body.length - end + behindBytes > this.#bytes.length) throw unproven;
    return this.#bytes.write(text, this.#valueAt, 'utf8');
  }

  get #valueAt(): number {
    return (this.#words[word.end] as number) + 2;
  }

  #endOfNumber(start: number): number {
    let at = start;
    while (at < this.#body.length && isOfNumber(this.#body[at] as number)) at++;
    return at;
  }

  /** Position after the string that `from` is in. */
  #endOfString(from: number): number {
    const body = this.#body;
    for (let at = from; at < body.length; at++) {
      if (body[at] === quote) return at + 1;
      if (body[at] === backslash) at++;
    }
    throw unproven;
  }

  /** Position after the array or object that begins at `start`. Counts brackets alone. */
  #endOfNested(start: number): number {
    const body = this.#body;
    let depth = 0;
    for (let at = start; at < body.length;) {
      const byte = body[at++] as number;
      if (byte === quote) at = this.#endOfString(at);
      else if (byte === openBrace || byte === openBracket) depth++;
      else if ((byte === closeBrace || byte === closeBracket) && --depth === 0) return at;
    }
    throw unproven;
  }

  /** Writes the watched names and their hashes into the module's memory. */
  #loadNames(hashOf: ScanModule['hash']): void {
    this.#words[word.textOnly] = textOnlyCount;
    this.#bytes.fill(noName, slotsAt, slotsAt + slots);
    let textAt = nameTextsAt;
    watchedNames.names.forEach((name, index) => {
      const length = this.#bytes.write(name, textAt);
      const hash = hashOf(textAt, length);
      let slot = hash & (slots - 1);
      while (this.#bytes[slotsAt + slot] !== noName) slot = (slot + 1) & (slots - 1);
      this.#bytes[slotsAt + slot] = index;
      this.#words.set([hash, textAt, length], (namesAt + index * nameBytes) / 4);
      textAt += length;
    });
  }
}

const scanner = new PropertyScanner(loadAssembled<ScanModule>(join(import.meta.dirname, 'scan-properties.wasm'))());
