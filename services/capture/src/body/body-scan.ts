import type { Span, ValueText } from '@millrace/json/span.ts';
import type { EventMembers } from './known-members.ts';

/** Range of an element of a batch, and ranges of its values that travel as the client wrote them. */
export interface EventSpan extends Span {
  /** Levels of nesting: 0 for a scalar, 1 for a flat object. */
  depth: number;
  properties: Span | null;
  set: Span | null;
  setOnce: Span | null;
  unset: Span | null;
  /** The members that capture reads; those of its properties are the picked ones. */
  texts: readonly ValueText[] | null;
}

/** One element of a body: an object with the members that capture reads, or null for anything else. */
export type ScannedEvent = EventMembers | null;

export interface BodyScan {
  /** The body: an array, or the object that it is. `batch` and `properties` hold what was scanned of them. */
  value: readonly ScannedEvent[] | ScannedEvent;
  /** The body itself, seen as one event. */
  whole: EventSpan;
  /** The elements when the body is an array, or an object whose `batch` is one. */
  items: EventSpan[] | null;
  /** Deepest level of nesting met so far. Right up to the first error, also when `complete` is false. */
  deepest: number;
  /** Keys of objects, up to the first error. */
  keys: number;
  /** True when there are more elements than allowed: then the rest was not read. */
  overfull: boolean;
  /** True when the objects and arrays among the members that capture reads hold too many values: then the rest was not read. */
  tooManyValues: boolean;
  /** True when the body is one event of more than 4 MiB, or an object with as much beside its batch: then the rest was not read. */
  tooLarge: boolean;
  /** False when the text is not JSON, or a limit was exceeded. */
  complete: boolean;
}
