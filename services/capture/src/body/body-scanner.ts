import { closeBrace, closeBracket, openBrace, openBracket } from '@millrace/json/bytes.ts';
import { JsonReader } from '@millrace/json/json-reader.ts';
import type { NameTable } from '@millrace/json/name-table.ts';
import { NotJson } from '@millrace/json/scalars.ts';
import { valueEnd } from '@millrace/json/value-end.ts';
import type { BodyScan, EventSpan, ScannedEvent } from './body-scan.ts';
import { partBytes } from './in-turns.ts';
import {
  eventMembers,
  noEventMembers,
  noPropertyMembers,
  propertyMembers,
  v0PropertyMembers,
  type EventMembers,
  type EventName,
  type PropertyMembers,
  type PropertyName,
} from './known-members.ts';
import { EventScanner, fastScanBytesMax, type ScannedField } from './event-scanner.ts';

/** Bytes that are read of one event, and of the members beside a `batch`. An event of this size is four times too large anyway. */
export const eventReadBytesMax = 4 * 1_048_576;

/** Replaces a value of the wrong type, which nothing reads: no object, and not null. */
const wrongType = false;

function emptySpan(start: number): EventSpan {
  return { start, end: start, depth: 0, properties: null, set: null, setOnce: null, unset: null, texts: null };
}

/** Shared by all bodies that are scanned in one turn of the event loop; the others do without. */
const eventScanners = new Map([v0PropertyMembers, propertyMembers].map((names) => [names, new EventScanner(names)]));

/** Scans a body once: `scanBody` says for what. */
export class BodyScanner {
  readonly #reader: JsonReader;
  /** Null when the body is too large for it, or is scanned in parts. */
  readonly #eventScanner: EventScanner | null;
  readonly #depthMax: number;
  readonly #itemsMax: number;
  readonly #propertyMembers: NameTable<PropertyName>;
  readonly #whole = emptySpan(0);
  #value: BodyScan['value'] = null;
  #items: EventSpan[] | null = null;
  /** Deepest level in front of the event that is being read. */
  #deepest = 0;
  #overfull = false;
  /** Position at which the scan is interrupted next. */
  #pauseAt: number;

  constructor(
    bytes: Buffer,
    depthMax: number,
    itemsMax: number,
    properties: NameTable<PropertyName>,
    inParts: boolean,
  ) {
    this.#reader = new JsonReader(bytes, depthMax);
    this.#pauseAt = inParts ? partBytes : Infinity;
    this.#eventScanner = bytes.length > fastScanBytesMax || inParts ? null : (eventScanners.get(properties) ?? null);
    this.#eventScanner?.load(bytes);
    this.#depthMax = depthMax;
    this.#itemsMax = itemsMax;
    this.#propertyMembers = properties;
  }

  result(complete: boolean): BodyScan {
    const deepest = Math.max(this.#deepest, this.#reader.deepest);
    return {
      value: this.#value,
      whole: this.#whole,
      items: this.#items,
      deepest,
      keys: this.#reader.keys,
      overfull: this.#overfull,
      tooManyValues: this.#reader.hasTooManyValues(),
      tooLarge: this.#reader.isCutShort(),
      complete,
    };
  }

  /** The result so far, of a text that is no JSON or is beyond a limit. @throws any other error. */
  resultOf(error: unknown): BodyScan {
    if (!(error instanceof NotJson)) throw error;
    return this.result(false);
  }

  /** Scans a body that is one event as clients write it. False for any other body: nothing has been scanned then. */
  scanWholeEvent(): boolean {
    const reader = this.#reader;
    const whole = this.#whole;
    if (reader.next() !== openBrace) return false;
    whole.start = reader.at;
    const event = noEventMembers();
    if (!this.#fastScanEvent(whole, event, 0, true)) return false;
    this.#value = event;
    whole.texts = reader.texts;
    this.#finish();
    return true;
  }

  /** Scans any body; yields where it may be interrupted. */
  *scan(): Generator<void, void> {
    const reader = this.#reader;
    const whole = this.#whole;
    const first = reader.next();
    whole.start = reader.at;
    if (first === openBracket) this.#value = yield* this.#scanItems(0);
    else if (first === openBrace) yield* this.#readTop(whole, (this.#value = noEventMembers()));
    else reader.skip(0);
    this.#finish();
  }

  #finish(): void {
    const whole = this.#whole;
    whole.end = this.#reader.at;
    this.#sealDeepest();
    whole.depth = this.#deepest;
    if (!this.#reader.isAtEnd()) throw new NotJson();
  }

  /** The elements of the array that is next, below `depth` levels. */
  *#scanItems(depth: number): Generator<void, ScannedEvent[]> {
    const reader = this.#reader;
    const items: EventSpan[] = [];
    const events: ScannedEvent[] = [];
    this.#items = items;
    let more = reader.enter(depth + 1);
    while (more) {
      this.#takeItem(items, events, depth);
      more = reader.hasMore(closeBracket);
      if (reader.at < this.#pauseAt) continue;
      this.#pauseAt = reader.at + partBytes;
      yield;
    }
    return events;
  }

  #takeItem(items: EventSpan[], events: ScannedEvent[], depth: number): void {
    const reader = this.#reader;
    const item = emptySpan(reader.at);
    this.#sealDeepest();
    events.push(this.#scanItem(item, depth + 1));
    item.end = reader.at;
    item.depth = Math.max(0, reader.deepest - depth - 1);
    if (items.push(item) <= this.#itemsMax) return;
    this.#overfull = true;
    throw new NotJson();
  }

  /** Scans an element of a batch. When it has more bytes than are read, only its end is searched: it is dropped, JSON or not. */
  #scanItem(item: EventSpan, depth: number): ScannedEvent {
    const reader = this.#reader;
    reader.limitTo(item.start + eventReadBytesMax);
    const event = reader.next() === openBrace ? noEventMembers() : null;
    try {
      if (event === null) reader.skip(depth);
      else this.#scanEvent(item, event, depth);
      reader.limitTo();
    } catch (error) {
      if (!(error instanceof NotJson && reader.isCutShort())) throw error;
      reader.limitTo();
      item.texts = reader.texts;
      reader.at = valueEnd(reader.bytes, item.start);
    }
    return event;
  }

  /** Puts the members of the object that is next into `event`, and their positions into `span`. */
  #scanEvent(span: EventSpan, event: EventMembers, depth: number): void {
    this.#reader.texts = null;
    if (!this.#fastScanEvent(span, event, depth, false)) this.#readEvent(span, event, depth);
    span.texts = this.#reader.texts;
  }

  /**
   * Scans the event with WebAssembly. False when the scanner declines it: nothing has been scanned then. Only the body itself
   * (`top`) may hold a batch, and is declined when it does.
   */
  #fastScanEvent(span: EventSpan, event: EventMembers, depth: number, top: boolean): boolean {
    const scanner = this.#eventScanner;
    const reader = this.#reader;
    const end = scanner === null ? 0 : scanner.scan(reader.at, !top);
    if (scanner === null || end === 0 || depth + scanner.depth > this.#depthMax) return false;
    reader.at = end;
    reader.keys += scanner.keys;
    reader.deepest = Math.max(reader.deepest, depth + scanner.depth);
    let properties: PropertyMembers | null = null;
    for (let number = 0; number < scanner.fieldCount; number++) {
      const field = scanner.fieldAt(number);
      if (!field.isInner) properties = this.#takeMember(field, span, event);
      else if (properties !== null) this.#takeProperty(field, properties);
    }
    return true;
  }

  /** Returns the properties when the field is `properties`: the fields of their members come next. Else null. */
  #takeMember(
    { nameStart, nameEnd, nameEscaped, start, end, escaped }: ScannedField,
    span: EventSpan,
    event: EventMembers,
  ): PropertyMembers | null {
    const reader = this.#reader;
    const name = reader.nameAt(nameStart, nameEnd, nameEscaped, eventMembers);
    if (name === null || name === 'batch') return null;
    if (name === '$set') span.set = { start, end };
    else if (name === '$set_once') span.setOnce = { start, end };
    else if (name === '$unset') span.unset = { start, end };
    else if (name !== 'properties') event[name] = reader.valueAt(start, end, escaped, name, false);
    else {
      span.properties = { start, end };
      if (reader.bytes[start] === openBrace) return (event.properties = noPropertyMembers());
      event.properties = reader.valueAt(start, end, escaped, name, false) === null ? null : wrongType;
    }
    return null;
  }

  #takeProperty(
    { nameStart, nameEnd, nameEscaped, start, end, escaped }: ScannedField,
    properties: PropertyMembers,
  ): void {
    const reader = this.#reader;
    const name = reader.nameAt(nameStart, nameEnd, nameEscaped, this.#propertyMembers);
    if (name !== null) properties[name] = reader.valueAt(start, end, escaped, name, true);
  }

  #readEvent(span: EventSpan, event: EventMembers, depth: number): void {
    const reader = this.#reader;
    for (let more = reader.enter(depth + 1); more; more = reader.hasMore(closeBrace))
      this.#readMember(reader.key(eventMembers), span, event, depth + 1);
  }

  /** The object that is the body. It alone may hold a batch. */
  *#readTop(span: EventSpan, event: EventMembers): Generator<void, void> {
    const reader = this.#reader;
    reader.limitTo(reader.at + eventReadBytesMax);
    for (let more = reader.enter(1); more; more = reader.hasMore(closeBrace)) {
      const name = reader.key(eventMembers);
      if (name === 'batch') event.batch = yield* this.#scanBatch(1);
      else this.#readMember(name, span, event, 1);
    }
    reader.limitTo();
    span.texts = reader.texts;
  }

  /** The value that is next, that of the member with this name; null: of no known one. */
  #readMember(name: EventName | null, span: EventSpan, event: EventMembers, depth: number): void {
    const reader = this.#reader;
    const start = reader.at;
    if (name === null || name === 'batch') reader.skip(depth);
    else if (name === 'properties') {
      event.properties = this.#scanProperties(depth);
      span.properties = { start, end: reader.at };
    } else if (name === '$set' || name === '$set_once' || name === '$unset') {
      reader.skip(depth);
      span[name === '$set' ? 'set' : name === '$set_once' ? 'setOnce' : 'unset'] = { start, end: reader.at };
    } else event[name] = reader.read(depth, name);
  }

  /** A batch may be of any size; the members after it have the rest of the limit. */
  *#scanBatch(depth: number): Generator<void, ScannedEvent[] | typeof wrongType> {
    const reader = this.#reader;
    const left = reader.limit - reader.at;
    reader.limitTo();
    this.#items = null;
    let events: ScannedEvent[] | typeof wrongType = wrongType;
    if (reader.next() === openBracket) events = yield* this.#scanItems(depth);
    else reader.skip(depth);
    reader.limitTo(reader.at + left);
    return events;
  }

  #scanProperties(depth: number): PropertyMembers | null | typeof wrongType {
    const reader = this.#reader;
    if (reader.next() !== openBrace) return reader.read(depth, 'properties') === null ? null : wrongType;
    const properties = noPropertyMembers();
    reader.pick(depth, this.#propertyMembers, properties);
    return properties;
  }

  /** Depth is counted anew for each event; what was met before counts for the body. */
  #sealDeepest(): void {
    this.#deepest = Math.max(this.#deepest, this.#reader.deepest);
    this.#reader.deepest = 0;
  }
}
