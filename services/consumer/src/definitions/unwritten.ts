import type { EventName, PropertyName } from './definition-store.ts';
import type { KindIndex } from './value-kind.ts';

/** An event name of a project. */
export interface LearnedEvent extends EventName {
  /** Properties that it was met with. */
  readonly properties: Set<LearnedProperty>;
  readonly shapes: Map<number, Shape>;
}

/** A property of a project's events, persons or groups. */
export interface LearnedProperty extends PropertyName {
  /** Values met since the last write, by the index of their kind. */
  counts: number[];
  /** Values met by this process that were looked at one by one. */
  met: number;
  /** Postgres has its type: from then on values are only counted. */
  isSettled: boolean;
  /** How often a member opened its type again, as Postgres said last; null: not known yet. */
  reopenings: number | null;
}

/** A property that an event was met with. */
interface LearnedPair {
  readonly event: LearnedEvent;
  readonly property: LearnedProperty;
}

/** Events of one name whose properties have the same names and kinds of values: they are counted together. */
export interface Shape {
  readonly event: LearnedEvent;
  readonly properties: readonly LearnedProperty[];
  readonly kinds: readonly KindIndex[];
  /** Events since the last write. */
  count: number;
  /** A property is not settled: each event is looked at. */
  isOpen: boolean;
}

/** Names and counts that are not in Postgres yet. */
export interface Unwritten {
  /** These can decide a type, or are new: a batch is not committed before they are written. */
  readonly events: Set<LearnedEvent>;
  readonly properties: Set<LearnedProperty>;
  readonly pairs: Set<LearnedPair>;
  /** Counts and times of names that are known: a crash may lose them. */
  readonly seenEvents: Set<LearnedEvent>;
  readonly counted: Set<LearnedProperty>;
  /** Shapes whose `count` is not 0. */
  readonly shapes: Shape[];
}

export function createUnwritten(): Unwritten {
  return {
    events: new Set(),
    properties: new Set(),
    pairs: new Set(),
    seenEvents: new Set(),
    counted: new Set(),
    shapes: [],
  };
}
