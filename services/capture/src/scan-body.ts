import { JsonReader, type ValueText } from './json-reader.ts';
import { NotJson } from './json-scalars.ts';
import { eventMembers, noEventMembers, noPropertyMembers, propertyMembers, v0PropertyMembers, type EventMembers, type KnownNames, type PropertyMembers, type PropertyName } from './known-members.ts';
import { valueEnd } from './value-end.ts';
import { EventWalk, walkedBytesMax, type Note } from './walk-event.ts';

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
  /** Of the members that capture looks at; those of its properties are the picked ones. */
  texts: readonly ValueText[] | null;
}

/** One element of a body: an object with the members that capture looks at, or null for anything else. */
type ScannedEvent = EventMembers | null;

export interface BodyScan {
  /** The body: an array, or the object that it is. `batch` and `properties` hold what was scanned of them. */
  value: readonly ScannedEvent[] | ScannedEvent;
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
  /** True when the objects and arrays among the members that capture looks at hold too many values: then the rest was not looked at. */
  tooManyValues: boolean;
  /** True when the body is one event of more than 4 MiB, or an object with as much beside its batch: then the rest was not looked at. */
  tooLarge: boolean;
  /** False when the text is not JSON, or any of the limits was passed. */
  complete: boolean;
}

const openBracket = 0x5b;
const openBrace = 0x7b;
const closeBracket = 0x5d;
const closeBrace = 0x7d;

/** Of one event no more bytes are read, and so of what stands beside a `batch`: it is too large four times over. */
export const eventReadBytesMax = 4 * 1_048_576;

/** Stands for a value of the wrong type, of which nobody wants to know more: no object, and not null. */
const wrongType = false;

/**
 * Reads a body in one pass: checks that it is JSON (as strictly as `JSON.parse`), finds where its events lie and how
 * deep they are nested, and takes out the members that capture looks at. The rest of the properties exists as text
 * only: making values of it, to throw them away, was half of what a batch cost. Of equal keys the last one wins, as in
 * `JSON.parse`. Stops at the first level beyond `depthMax` (contract/decisions 26) and behind the first `itemsMax`
 * elements, so that a body of nothing but commas takes no memory. What an element of a batch holds beyond 4 MiB is passed
 * over, JSON or not. The bytes must be valid UTF-8.
 */
export function scanBody(bytes: Buffer, depthMax: number, itemsMax: number, properties: KnownNames<PropertyName> = v0PropertyMembers): BodyScan {
  const scanner = new BodyScanner(bytes, depthMax, itemsMax, properties);
  try {
    scanner.scan();
    return scanner.result(true);
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    return scanner.result(false);
  }
}

function emptySpan(start: number): EventSpan {
  return { start, end: start, depth: 0, properties: null, set: null, setOnce: null, unset: null, texts: null };
}

/** One for all bodies: each is scanned in one turn. */
const walks = new Map([v0PropertyMembers, propertyMembers].map((names) => [names, new EventWalk(names)]));

class BodyScanner {
  readonly #reader: JsonReader;
  /** Null when the body is too large for it. */
  readonly #walk: EventWalk | null;
  readonly #depthMax: number;
  readonly #itemsMax: number;
  readonly #propertyMembers: KnownNames<PropertyName>;
  readonly #whole = emptySpan(0);
  #value: BodyScan['value'] = null;
  #items: EventSpan[] | null = null;
  /** Deepest level in front of the event that is being read. */
  #deepest = 0;
  #overfull = false;

  constructor(bytes: Buffer, depthMax: number, itemsMax: number, properties: KnownNames<PropertyName>) {
    this.#reader = new JsonReader(bytes, depthMax);
    this.#walk = bytes.length > walkedBytesMax ? null : (walks.get(properties) ?? null);
    this.#walk?.load(bytes);
    this.#depthMax = depthMax;
    this.#itemsMax = itemsMax;
    this.#propertyMembers = properties;
  }

  result(complete: boolean): BodyScan {
    const deepest = Math.max(this.#deepest, this.#reader.deepest);
    return { value: this.#value, whole: this.#whole, items: this.#items, deepest, keys: this.#reader.keys, overfull: this.#overfull, tooManyValues: this.#reader.hasTooManyValues(), tooLarge: this.#reader.isCutShort(), complete };
  }

  scan(): void {
    const reader = this.#reader;
    const whole = this.#whole;
    const first = reader.next();
    whole.start = reader.at;
    if (first === openBracket) this.#value = this.#scanItems(0);
    else if (first === openBrace) this.#scanEvent(whole, (this.#value = noEventMembers()), 0, true);
    else reader.skip(0);
    whole.end = reader.at;
    this.#sealDeepest();
    whole.depth = this.#deepest;
    if (!reader.isAtEnd()) throw new NotJson();
  }

  /** The elements of the array that is next, below `depth` levels. */
  #scanItems(depth: number): ScannedEvent[] {
    const reader = this.#reader;
    const items: EventSpan[] = [];
    const events: ScannedEvent[] = [];
    this.#items = items;
    let more = reader.enter(depth + 1);
    while (more) {
      const item = emptySpan(reader.at);
      this.#sealDeepest();
      events.push(this.#scanItem(item, depth + 1));
      item.end = reader.at;
      item.depth = Math.max(0, reader.deepest - depth - 1);
      if (items.push(item) > this.#itemsMax) {
        this.#overfull = true;
        throw new NotJson();
      }
      more = reader.hasMore(closeBracket);
    }
    return events;
  }

  /** An element of a batch. Behind the bytes that are read of one only its end is looked for: it is dropped, whatever it is. */
  #scanItem(item: EventSpan, depth: number): ScannedEvent {
    const reader = this.#reader;
    reader.limitTo(item.start + eventReadBytesMax);
    const event = reader.next() === openBrace ? noEventMembers() : null;
    try {
      if (event === null) reader.skip(depth);
      else this.#scanEvent(item, event, depth, false);
      reader.limitTo();
    } catch (error) {
      if (!(error instanceof NotJson && reader.isCutShort())) throw error;
      reader.limitTo();
      item.texts = reader.texts;
      reader.at = valueEnd(reader.bytes, item.start);
    }
    return event;
  }

  /** Puts the members of the object that is next into `event`, and where they lie into `span`. Only the body itself (`top`) may hold a batch. */
  #scanEvent(span: EventSpan, event: EventMembers, depth: number, top: boolean): void {
    this.#reader.texts = null;
    if (!this.#walkEvent(span, event, depth, top)) this.#readEvent(span, event, depth, top);
    span.texts = this.#reader.texts;
  }

  /** False when the walk declines it: then nothing has happened. */
  #walkEvent(span: EventSpan, event: EventMembers, depth: number, top: boolean): boolean {
    const walk = this.#walk;
    const reader = this.#reader;
    const end = walk === null ? 0 : walk.pass(reader.at, !top);
    if (walk === null || end === 0 || depth + walk.depth > this.#depthMax) return false;
    reader.at = end;
    reader.keys += walk.keys;
    reader.deepest = Math.max(reader.deepest, depth + walk.depth);
    let properties: PropertyMembers | null = null;
    for (let number = 0; number < walk.noted; number++) {
      const note = walk.look(number);
      if (!note.isInner) properties = this.#takeMember(note, span, event);
      else if (properties !== null) this.#takeProperty(note, properties);
    }
    return true;
  }

  /** Answers the properties, if that is what the note is of: the notes of their members come next. */
  #takeMember({ nameStart, nameEnd, nameEscaped, start, end, escaped }: Note, span: EventSpan, event: EventMembers): PropertyMembers | null {
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

  #takeProperty({ nameStart, nameEnd, nameEscaped, start, end, escaped }: Note, properties: PropertyMembers): void {
    const reader = this.#reader;
    const name = reader.nameAt(nameStart, nameEnd, nameEscaped, this.#propertyMembers);
    if (name !== null) properties[name] = reader.valueAt(start, end, escaped, name, true);
  }

  #readEvent(span: EventSpan, event: EventMembers, depth: number, top: boolean): void {
    const reader = this.#reader;
    if (top) reader.limitTo(reader.at + eventReadBytesMax);
    for (let more = reader.enter(depth + 1); more; more = reader.hasMore(closeBrace)) {
      const name = reader.key(eventMembers);
      const start = reader.at;
      if (name === null || (name === 'batch' && !top)) reader.skip(depth + 1);
      else if (name === 'batch') event.batch = this.#scanBatch(depth + 1);
      else if (name === 'properties') {
        event.properties = this.#scanProperties(depth + 1);
        span.properties = { start, end: reader.at };
      } else if (name === '$set' || name === '$set_once' || name === '$unset') {
        reader.skip(depth + 1);
        span[name === '$set' ? 'set' : name === '$set_once' ? 'setOnce' : 'unset'] = { start, end: reader.at };
      } else event[name] = reader.read(depth + 1, name);
    }
    if (top) reader.limitTo();
  }

  /** A batch may be of any size; what stands behind it has what is left of the limit. */
  #scanBatch(depth: number): ScannedEvent[] | typeof wrongType {
    const reader = this.#reader;
    const left = reader.limit - reader.at;
    reader.limitTo();
    const events = this.#scanArrayBatch(depth);
    reader.limitTo(reader.at + left);
    return events;
  }

  #scanArrayBatch(depth: number): ScannedEvent[] | typeof wrongType {
    this.#items = null;
    if (this.#reader.next() === openBracket) return this.#scanItems(depth);
    this.#reader.skip(depth);
    return wrongType;
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
