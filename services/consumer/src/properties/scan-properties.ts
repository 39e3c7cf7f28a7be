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
 * WebAssembly, because there 16 bytes of a text can be looked at, and copied, together. The source is walk-properties.wat, in
 * WebAssembly's own text form. After a change of it:
 *
 *     services/consumer/node_modules/.bin/wat2wasm services/consumer/src/properties/walk-properties.wat --output services/consumer/src/json/walk-properties.wasm
 */
interface Walk {
  memory: { buffer: ArrayBuffer };
  hash: (at: number, length: number) => number;
  walk: (at: number, length: number) => number;
}

/** What a scan leaves of an event's properties. Its arrays are shared with other events: nobody changes what is in them. */
export interface ScannedProperties {
  /** Members of the object. */
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
}

/** The memory of the walk, in bytes. */
const slotsAt = 1024;
const slots = 1024;
const noName = 255;
const namesAt = 2048;
const nameBytes = 12;
const nameTextsAt = 4096;
const seenAt = 8192;
const placesAt = 16_384;
const bodyAt = 32_768;
const entriesAt = 1_114_112;

/** Its first words. */
const word = { value: 0, end: 1, members: 2, entries: 3, placesEnd: 4, round: 7, textOnly: 8, bodyEnd: 9 } as const;

/** What it answers. */
const isPassed = 0;
const isLeftToUs = 1;

const fromTheBeginning = -2;
const noEntry = -1;

/** Larger properties are parsed: the memory of the walk never grows. */
const walkedBytesMax = 1_048_576;
/** How far the walk may look behind a body. */
const behindBytes = 16;

const roomBytes = 256 * 1024;
const rangesLength = 16 * 1024;

/** Thrown for what this scan does not prove, whether it is JSON or not. */
class Unproven extends Error {}
const unproven = new Unproven('left to the slow way');

/**
 * Reads the properties of an event in one pass over their bytes: proves that they are a JSON object, writes the entries of
 * the column `properties` as ClickHouse wants them, and notes where the watched members are.
 *
 * It knows the usual cases and gives up on the others: no UTF-8, names with escapes or longer than 127 bytes, a name that
 * comes twice, more than 256 members, more than a megabyte. Null means just that: `JSON.parse` decides then.
 *
 * For each value the entry is byte by byte what `propertyMap` of the parsed properties makes. What is plain text, a number
 * that is written as JavaScript prints it, `true`, `false` or `null` is copied; all else is parsed, each by itself.
 */
export function scanProperties(body: Buffer): ScannedProperties | null {
  if (body.length > walkedBytesMax || !isUtf8(body)) return null;
  try {
    return scanner.scan(body);
  } catch (error) {
    if (error === unproven || error instanceof SyntaxError) return null;
    throw error;
  }
}

class PropertyScanner {
  readonly #walk: Walk['walk'];
  /** The walk's memory. */
  readonly #bytes: Buffer;
  readonly #words: Int32Array;
  #round = 0;
  #body: Buffer = Buffer.alloc(0);
  /** What entries are copied to, and where the next byte goes. A full one is left to those whose entries are in it. */
  #room = Buffer.allocUnsafeSlow(roomBytes);
  #roomEnd = 0;
  #ranges = new Int32Array(rangesLength);
  #rangesEnd = 0;

  constructor({ memory, hash, walk }: Walk) {
    this.#walk = walk;
    this.#bytes = Buffer.from(memory.buffer);
    this.#words = new Int32Array(memory.buffer);
    this.#tellNames(hash);
  }

  scan(body: Buffer): ScannedProperties {
    this.#load(body);
    let state = this.#walk(bodyAt, fromTheBeginning);
    while (state === isLeftToUs) {
      const start = (this.#words[word.value] as number) - bodyAt;
      const plainEnd = endOfPlain(body, start);
      const end = plainEnd === -1 ? this.#endOfValue(start) : plainEnd;
      state = this.#walk(bodyAt + end, plainEnd === -1 ? this.#writeParsed(start, end) : this.#writeCopy(start, end));
    }
    if (state !== isPassed) throw unproven;
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
    words[word.placesEnd] = placesAt;
    words[word.bodyEnd] = bodyAt + body.length;
    words[word.round] = this.#nextRound();
  }

  /** Names that were seen in another round count for nothing. */
  #nextRound(): number {
    if (++this.#round < 2 ** 31) return this.#round;
    this.#bytes.fill(0, seenAt, placesAt);
    return (this.#round = 1);
  }

  #result(): ScannedProperties {
    const words = this.#words;
    const entriesEnd = words[word.end] as number;
    const start = this.#roomFor(entriesEnd - entriesAt);
    this.#bytes.copy(this.#room, start, entriesAt, entriesEnd);
    this.#roomEnd = start + entriesEnd - entriesAt;
    const from = this.#notePlaces(placesAt / 4, (words[word.placesEnd] as number) / 4);
    const [members, count] = [words[word.members] as number, words[word.entries] as number];
    return {
      members,
      count,
      bytes: this.#room,
      start,
      end: this.#roomEnd,
      ranges: this.#ranges,
      from,
      to: this.#rangesEnd,
    };
  }

  #roomFor(size: number): number {
    if (this.#roomEnd + size <= this.#room.length) return this.#roomEnd;
    this.#room = Buffer.allocUnsafeSlow(Math.max(roomBytes, size));
    return 0;
  }

  #notePlaces(start: number, end: number): number {
    if (this.#rangesEnd + end - start > this.#ranges.length) {
      this.#ranges = new Int32Array(rangesLength);
      this.#rangesEnd = 0;
    }
    const from = this.#rangesEnd;
    for (let at = start; at < end; at++) this.#ranges[this.#rangesEnd++] = this.#words[at] as number;
    return from;
  }

  /** Behind the value at `start`, which the walk has left: a text with escapes, an array, an object, or a number. */
  #endOfValue(start: number): number {
    const first = this.#body[start];
    if (first === quote) return this.#endOfString(start + 1);
    return first === openBrace || first === openBracket ? this.#endOfNested(start) : this.#endOfNumber(start);
  }

  /** Writes a value into its entry, behind the two bytes that the walk puts in front; answers how many bytes it has. */
  #writeCopy(start: number, end: number): number {
    return end - start > mapValueBytesMax ? noEntry : this.#body.copy(this.#bytes, this.#valueAt, start, end);
  }

  /** The same with what a value says. @throws {SyntaxError} when it is no JSON. */
  #writeParsed(start: number, end: number): number {
    const text = valueText(readJson(this.#body.toString('utf8', start, end)));
    if (text === null) throw unproven;
    if (text.length > mapValueBytesMax) return noEntry;
    // It may be longer than what it was made of, and what is left of the body must find room behind it.
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

  /** Behind the string that `at` is in. */
  #endOfString(from: number): number {
    const body = this.#body;
    for (let at = from; at < body.length; at++) {
      if (body[at] === quote) return at + 1;
      if (body[at] === backslash) at++;
    }
    throw unproven;
  }

  /** Behind the array or object that begins at `start`, going by its brackets alone. */
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

  /** Which names are watched. */
  #tellNames(hashOf: Walk['hash']): void {
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

const scanner = new PropertyScanner(loadAssembled<Walk>(join(import.meta.dirname, 'walk-properties.wasm'))());
