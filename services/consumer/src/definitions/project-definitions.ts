import {
  isLearnableName,
  isLearnedProperty,
  learnedNamesMax,
  learnedPairsMax,
  settlingValues,
  type PropertyOwner,
} from '@millrace/contracts/property-types.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { KindNames, NameKind } from './definition-store.ts';
import type { LearnedEvent, LearnedProperty, Shape, Unwritten } from './unwritten.ts';
import { kindOf, noCounts, type KindIndex } from './value-kind.ts';

const shapesMax = 5_000;
const propertiesOfEventMax = 1_000;
/** With it the largest key is still a whole number of JavaScript. */
const personStep = 2 ** 45;
/** One in so many events is looked at whose shape finds no place. */
const sampledEvery = 16;
/** Names new to Postgres that a project may have at once, and in a second: so random names hold up nobody's batch. */
const newNamesBurst = 500;
const newNamesPerSecond = 100;

/** Numbers of what was not learned of an event, by its reason. */
export interface Missed {
  /** Names beyond the limit of their kind. */
  leftOut: number;
  /** Names that came too fast. */
  putOff: number;
  /** Events that were not looked at, because the project has too many shapes. */
  skipped: number;
  /** Pairs of event and property beyond their limit. */
  pairs: number;
}

/** Names of one project, bounded: what is beyond the bounds is counted, and not learned. */
export class ProjectDefinitions {
  readonly #projectId: number;
  readonly #unwritten: Unwritten;
  readonly #clock: Clock;
  readonly #events = new Map<string, LearnedEvent>();
  readonly #owners = new Map<string, Map<string, LearnedProperty>>();
  /** Names that Postgres has and memory does not, by owner; null: not read yet. */
  #known: Map<string, Set<string>> | null = null;
  /** Owners, and `events`, of which Postgres takes no new names. */
  readonly #full = new Set<string>();
  #shapes = 0;
  /** Properties of all shapes. */
  #members = 0;
  #pairs = 0;
  #unplaced = 0;
  #newNames = newNamesBurst;
  #newNamesAtMs: number;
  #missed: Missed | null = null;
  /** True when an event of it was learned since the last look. */
  isUsed = false;

  constructor(projectId: number, unwritten: Unwritten, clock: Clock) {
    this.#projectId = projectId;
    this.#unwritten = unwritten;
    this.#clock = clock;
    this.#newNamesAtMs = clock.nowMs();
  }

  /** Names, shapes, their properties, and pairs in memory. */
  get size(): number {
    let size = this.#events.size + this.#shapes + this.#members + this.#pairs;
    for (const names of [...this.#owners.values(), ...(this.#known?.values() ?? [])]) size += names.size;
    return size;
  }

  /** False: the names that Postgres has must be read before anything is learned. */
  get isRead(): boolean {
    return this.#known !== null;
  }

  /** Takes the names that Postgres has: each is learned at once when it comes, however many there are. */
  read(found: readonly KindNames[]): void {
    if (this.#known !== null) return;
    this.#known = new Map();
    for (const kind of found) this.#keep(kind, kind.names);
  }

  /** Names that were not learned since the last call; null: none. */
  takeMissed(): Missed | null {
    const missed = this.#missed;
    this.#missed = null;
    return missed;
  }

  /** Learns an event, and the properties that it gives its person. */
  learn(draft: EventDraft): void {
    this.isUsed = true;
    const event = this.#events.get(draft.event) ?? this.#addEvent(draft.event);
    const { update } = draft;
    if (event !== null) this.#learnProperties(event, draft);
    if (update === null) return;
    for (const name in update.set) this.learnValue('person', -1, name, update.set[name]);
    for (const name in update.setOnce) this.learnValue('person', -1, name, update.setOnce[name]);
  }

  /** Learns one value of a property. Returns null when its name is not learned. */
  learnValue(owner: PropertyOwner, groupTypeIndex: number, name: string, value: unknown): LearnedProperty | null {
    const property = this.#property(owner, groupTypeIndex, name);
    if (property !== null) this.#count(property, kindOf(name, value));
    return property;
  }

  /** Begins a new period. Shapes that filled their places are forgotten, so that those of today find one. */
  renew(): void {
    this.isUsed = false;
    if (this.#shapes < shapesMax) return;
    for (const event of this.#events.values()) event.shapes.clear();
    this.#shapes = 0;
    this.#members = 0;
  }

  isFull({ owner, groupTypeIndex }: NameKind): boolean {
    return this.#full.has(ownerKey(owner, groupTypeIndex));
  }

  /** Takes no more names of this kind but these, which Postgres has. */
  close(kind: NameKind, names: readonly string[]): void {
    this.#full.add(ownerKey(kind.owner, kind.groupTypeIndex));
    this.#keep(kind, names);
  }

  /** Forgets a name that Postgres does not take. */
  refuse(refused: LearnedEvent | LearnedProperty): void {
    if ('owner' in refused) {
      this.#owners.get(ownerKey(refused.owner, refused.groupTypeIndex))?.delete(refused.name);
      refused.isSettled = true;
    } else {
      this.#events.delete(refused.name);
      this.#shapes -= refused.shapes.size;
      for (const { properties } of refused.shapes.values()) this.#members -= properties.length;
      this.#pairs -= refused.properties.size;
    }
  }

  /** The property of this name; undefined when it is not in memory. */
  find(owner: string, groupTypeIndex: number, name: string): LearnedProperty | undefined {
    return this.#owners.get(ownerKey(owner, groupTypeIndex))?.get(name);
  }

  /** A member opened the type again: values from now on settle it. What shapes have counted must be in its counts. */
  reopen(property: LearnedProperty, reopenings: number | null): void {
    Object.assign(property, { counts: noCounts(), met: 0, isSettled: false, reopenings });
    this.#unwritten.counted.delete(property);
    for (const event of this.#events.values())
      for (const shape of event.shapes.values()) if (shape.properties.includes(property)) shape.isOpen = true;
  }

  #learnProperties(event: LearnedEvent, draft: EventDraft): void {
    const key = shapeKey(draft);
    const known = key === null ? undefined : event.shapes.get(key);
    if (known !== undefined && !known.isOpen) {
      if (known.count++ === 0) this.#unwritten.shapes.push(known);
      return;
    }
    const isPlaced = known !== undefined || this.#shapes < shapesMax;
    if (!isPlaced && this.#unplaced++ % sampledEvery !== 0) return this.#miss('skipped');
    const putOff = this.#missed?.putOff ?? 0;
    const looked = this.#look(event, draft);
    // A shape without one of its names would never learn it.
    if ((this.#missed?.putOff ?? 0) > putOff) return;
    if (key === null || !isPlaced) return;
    event.shapes.set(key, looked);
    this.#members += looked.properties.length - (known?.properties.length ?? 0);
    if (known === undefined) this.#shapes++;
  }

  #look(event: LearnedEvent, draft: EventDraft): Shape {
    this.#unwritten.seenEvents.add(event);
    const properties: LearnedProperty[] = [];
    const kinds: KindIndex[] = [];
    let isOpen = false;
    const add = (property: LearnedProperty | null, kind: KindIndex): void => {
      if (property === null) return;
      properties.push(property);
      kinds.push(kind);
      this.#count(property, kind);
      if (kind !== -1 && !isDecided(property)) isOpen = true;
    };
    const { values } = draft.properties;
    for (const name of Object.keys(values)) {
      const property = this.#property('event', -1, name);
      add(property, kindOf(name, values[name]));
      if (property !== null) this.#pair(event, property);
    }
    for (const { name, initialName, value } of draft.update?.automatic ?? []) {
      add(this.#property('person', -1, name), kindOf(name, value));
      add(this.#property('person', -1, initialName), kindOf(initialName, value));
    }
    return { event, properties, kinds, count: 0, isOpen };
  }

  #count(property: LearnedProperty, kind: KindIndex): void {
    if (kind === -1) return;
    property.counts[kind] = (property.counts[kind] as number) + 1;
    const { properties, counted } = this.#unwritten;
    if (isDecided(property)) counted.add(property);
    else properties.add(property);
    property.met++;
  }

  #pair(event: LearnedEvent, property: LearnedProperty): void {
    if (event.properties.has(property)) return;
    if (event.properties.size >= propertiesOfEventMax || this.#pairs >= learnedPairsMax) return this.#miss('pairs');
    this.#pairs++;
    event.properties.add(property);
    this.#unwritten.pairs.add({ event, property });
  }

  #addEvent(name: string): LearnedEvent | null {
    if (!isLearnableName(name) || !this.#takes('events', this.#events.size, name)) return null;
    const event = { projectId: this.#projectId, name, properties: new Set<LearnedProperty>(), shapes: new Map() };
    this.#events.set(name, event);
    this.#unwritten.events.add(event);
    return event;
  }

  #property(owner: PropertyOwner, groupTypeIndex: number, name: string): LearnedProperty | null {
    const key = ownerKey(owner, groupTypeIndex);
    let names = this.#owners.get(key);
    if (names === undefined) this.#owners.set(key, (names = new Map<string, LearnedProperty>()));
    const known = names.get(name);
    if (known !== undefined) return known;
    if (!isLearnedProperty(owner, name) || !this.#takes(key, names.size, name)) return null;
    const property: LearnedProperty = {
      projectId: this.#projectId,
      owner,
      groupTypeIndex,
      name,
      counts: noCounts(),
      met: 0,
      isSettled: false,
      reopenings: null,
    };
    names.set(name, property);
    this.#unwritten.properties.add(property);
    return property;
  }

  #takes(key: string, size: number, name: string): boolean {
    const known = this.#known?.get(key);
    if (known?.delete(name) === true) return true;
    const isFull = this.#full.has(key) || size + (known?.size ?? 0) >= learnedNamesMax;
    if (isFull || this.#refilled() < 1) {
      this.#miss(isFull ? 'leftOut' : 'putOff');
      return false;
    }
    this.#newNames--;
    return true;
  }

  #keep({ owner, groupTypeIndex }: NameKind, names: readonly string[]): void {
    const key = ownerKey(owner, groupTypeIndex);
    const inMemory = owner === 'events' ? this.#events : this.#owners.get(key);
    this.#known?.set(key, new Set(names.filter((name) => inMemory?.has(name) !== true)));
  }

  #miss(reason: keyof Missed): void {
    this.#missed ??= { leftOut: 0, putOff: 0, skipped: 0, pairs: 0 };
    this.#missed[reason]++;
  }

  /** New names that may be learned now. */
  #refilled(): number {
    const nowMs = this.#clock.nowMs();
    const more = (Math.max(0, nowMs - this.#newNamesAtMs) * newNamesPerSecond) / 1_000;
    this.#newNamesAtMs = nowMs;
    return (this.#newNames = Math.min(newNamesBurst, this.#newNames + more));
  }
}

/**
 * Events of one key have the same names with the same kinds of values, by a hash of 52 bits; null: the event has no shape. The number of
 * properties that it gives its person belongs to it, because `$is_server` leaves some out by its value.
 */
function shapeKey({ properties, update }: EventDraft): number | null {
  const { shape } = properties;
  if (shape === null) return null;
  return update === null ? shape : shape + (1 + update.automatic.length) * personStep;
}

/** Enough values for Postgres to settle the type, or settled. */
function isDecided({ isSettled, met }: LearnedProperty): boolean {
  return isSettled || met >= settlingValues;
}

function ownerKey(owner: string, groupTypeIndex: number): string {
  return groupTypeIndex === -1 ? owner : `${owner}:${groupTypeIndex}`;
}
