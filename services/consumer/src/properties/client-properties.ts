import type { EncodedMap, Utf8Text } from '@millrace/clickhouse/insert/columns.ts';
import { AddedMembers } from './added-members.ts';
import { cleanJson } from '@millrace/json/clean-json.ts';
import { isJsonObject, type JsonObject } from '@millrace/json/exact-json.ts';
import { backslash, closeBrace, quote } from '@millrace/json/bytes.ts';
import { appendMember, appendMembers, withoutMembers } from '@millrace/json/splice.ts';
import { propertyMap, type PropertyMap } from './property-map.ts';
import { readJson } from '@millrace/json/read-json.ts';
import { scanProperties, type ScannedProperties } from './scan-properties.ts';
import { watchedNames } from './watched-names.ts';

const noProperties = Buffer.from('{}');
/** Number of shapes; the hash of what was added moves into its high bits. */
const shapes = 2 ** 52;
const addedShift = 2 ** 20;

/**
 * The properties of one event: the client's own bytes, and what we write into them. Values are free of lone surrogates and
 * NULs (contract/decisions 24); the text is the client's, but for the members that were added or taken out.
 *
 * Most events go from the log to ClickHouse without being parsed (`scanProperties`); what needs more than that, parses.
 */
export class ClientProperties {
  /** Replaces properties that are written completely. It is no JSON: reading it throws. */
  static readonly forgotten = new ClientProperties(Buffer.from('forgotten'), null);

  readonly #body: Buffer;
  /** Null once a member is removed, and for properties that the scan declined: then `#values` or `#text` hold them. */
  #scanned: ScannedProperties | null;
  /** Members that were written after the scanned ones. */
  #added = AddedMembers.none;
  #values: JsonObject | null = null;
  #text: string | null = null;

  private constructor(body: Buffer, scanned: ScannedProperties | null) {
    this.#body = body;
    this.#scanned = scanned;
  }

  /** Null when the bytes are not a JSON object. No bytes are an empty one. */
  static read(bytes: Buffer): ClientProperties | null {
    const body = bytes.length === 0 ? noProperties : bytes;
    const scanned = scanProperties(body);
    const properties = new ClientProperties(body, scanned);
    return scanned !== null || properties.#parses() ? properties : null;
  }

  /** The value of a property, undefined when there is none. Costs nothing for watched names. */
  get(name: string): unknown {
    const added = this.#added.find(name);
    if (added !== undefined) return added.value;
    const index = this.#scanned === null ? -1 : watchedNames.indexOf(name);
    if (this.#scanned === null || index === -1) return Object.hasOwn(this.values, name) ? this.values[name] : undefined;
    const at = rangeOf(this.#scanned, index);
    return at === -1 ? undefined : this.#valueAt(this.#scanned.ranges, at);
  }

  /** True when there is such a property, be it null. */
  has(name: string): boolean {
    if (this.#added.find(name) !== undefined) return true;
    const index = this.#scanned === null ? -1 : watchedNames.indexOf(name);
    if (this.#scanned === null || index === -1) return Object.hasOwn(this.values, name);
    return rangeOf(this.#scanned, index) !== -1;
  }

  /** Shows the properties of these names, which must all be watched, in their order. */
  pick(names: { has(name: string): boolean }, visit: (name: string, value: unknown) => void): void {
    if (this.#scanned === null) {
      for (const name of Object.keys(this.values)) if (names.has(name)) visit(name, this.values[name]);
      return;
    }
    const { ranges, from, to } = this.#scanned;
    for (let at = from; at < to; at += 3) {
      const name = watchedNames.names[ranges[at] as number] as string;
      if (names.has(name)) visit(name, this.#valueAt(ranges, at));
    }
    for (const { name, value } of this.#added.all) if (names.has(name)) visit(name, value);
  }

  /** All of them, parsed. To be read only: `replace` and `remove` change them. */
  get values(): Readonly<JsonObject> {
    return this.#own();
  }

  /**
   * A hash of 52 bits of all names and the kinds of their values: the client's own, and those that were added. Two sets of names can share
   * it only by accident. Null for properties that the scan declined, or of which some were taken out.
   */
  get shape(): number | null {
    if (this.#scanned === null) return null;
    const shape = this.#scanned.shape + this.#added.shape * addedShift;
    return shape < shapes ? shape : shape - shapes;
  }

  /** JSON text. */
  get text(): string {
    return (this.#text ??=
      this.#body.toString('utf8', 0, this.#scanned === null ? undefined : this.#utf8End()) + this.#tail().toString());
  }

  /** Gives a property another value, at the end. `value` must be clean. */
  replace(name: string, value: unknown): void {
    if (this.has(name)) this.remove([name]);
    if (this.#values !== null) this.#values[name] = value;
    if (this.#scanned === null) {
      this.#text = appendMember(this.text, name, JSON.stringify(value));
      return;
    }
    this.#text = null;
    this.#added = this.#added.with(name, value);
  }

  /** Gives properties other values, at the end, in this order. They are cleaned; those that are clean are kept, and must stay as they are. */
  replaceAll(given: Readonly<JsonObject>): void {
    const text = JSON.stringify(given);
    // Only what is printed with an escape needs to be cleaned. To copy all was a tenth of the CPU of an exception.
    const values = text.includes('\\u') ? (cleanJson(given) as JsonObject) : given;
    this.remove(Object.keys(values));
    if (this.#scanned !== null) {
      for (const name of Object.keys(values)) this.replace(name, values[name]);
      return;
    }
    Object.assign(this.#own(), values);
    this.#text = appendMembers(this.text, values === given ? text : JSON.stringify(values));
  }

  /** Takes properties out. The text is left alone when none of them is there. */
  remove(names: readonly string[]): void {
    if (!this.#hasAny(names)) return;
    const present = names.filter((name) => this.has(name));
    const values = this.#own();
    this.#text = withoutMembers(this.#utf8(), present).toString();
    this.#scanned = null;
    this.#added = AddedMembers.none;
    for (const name of present) delete values[name];
  }

  #hasAny(names: readonly string[]): boolean {
    for (const name of names) if (this.has(name)) return true;
    return false;
  }

  /** The text as bytes. */
  #utf8(): Buffer {
    if (this.#scanned === null) return Buffer.from(this.text);
    return Buffer.concat([this.#body.subarray(0, this.#utf8End()), this.#tail()]);
  }

  /** The text as a column takes it. */
  get column(): string | Utf8Text {
    if (this.#scanned === null) return this.text;
    return { utf8: this.#body, utf8End: this.#utf8End(), tail: this.#tail() };
  }

  /** The property map as a column takes it. */
  get map(): PropertyMap | EncodedMap {
    if (this.#scanned === null) return propertyMap(this.values);
    const { count, bytes, start, end } = this.#scanned;
    return { count, bytes, start, end, more: this.#added.entries };
  }

  #parses(): boolean {
    try {
      const values = readJson(this.text);
      if (!isJsonObject(values)) return false;
      this.#values = values;
      return true;
    } catch (error) {
      if (error instanceof SyntaxError) return false;
      throw error;
    }
  }

  #own(): JsonObject {
    if (this.#values !== null) return this.#values;
    const values = readJson(this.#body.toString()) as JsonObject;
    for (const { name, value } of this.#added.all) values[name] = value;
    return (this.#values = values);
  }

  #valueAt(ranges: Int32Array, at: number): unknown {
    const start = ranges[at + 1] as number;
    const end = ranges[at + 2] as number;
    const body = this.#body;
    // It is JSON: its first letter says which of these it is.
    if (body[start] === lowerT) return true;
    if (body[start] === lowerF) return false;
    const isText = body[start] === quote && !hasBackslash(body, start, end);
    return isText ? body.toString('utf8', start + 1, end - 1) : readJson(body.toString('utf8', start, end));
  }

  /** End of the members that the client sent: after them comes the closing brace, or what was added. */
  #utf8End(): number {
    if (this.#added === AddedMembers.none) return this.#body.length;
    let end = this.#body.length - 1;
    while (this.#body[end] !== closeBrace) end--;
    while ((this.#body[end - 1] as number) <= 0x20) end--;
    return end;
  }

  #tail(): Buffer {
    const { text } = this.#added;
    return this.#scanned?.members === 0 ? text.subarray(1) : text;
  }
}

const lowerT = 0x74;
const lowerF = 0x66;

function hasBackslash(body: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (body[at] === backslash) return true;
  return false;
}

/** Index of the range of the watched name's member, or -1. */
function rangeOf({ ranges, from, to }: ScannedProperties, index: number): number {
  for (let at = from; at < to; at += 3) if (ranges[at] === index) return at;
  return -1;
}
