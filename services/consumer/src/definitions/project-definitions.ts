import {
  isLearnableName,
  isLearnedProperty,
  learnedNamesMax,
  settlingValues,
  type PropertyOwner,
} from '@millrace/contracts/property-types.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { EventDraft } from '../events/event-draft.ts';
import type { NameKind } from './definition-store.ts';
import type { LearnedEvent, LearnedProperty, Shape, Unwritten } from './unwritten.ts';
import { kindOf, valueKinds, type KindIndex } from './value-kind.ts';

const shapesMax = 5_000;
const propertiesOfEventMax = 1_000;
const pairsMax = 20_000;
/** With it the largest key is still a whole number of JavaScript. */
const personStep = 2 ** 45;
/** One in so many events is looked at whose shape finds no place. */
const sampledEvery = 16;
/** New names of a project that are learned at once, and in a second: so random names hold up nobody's batch. */
const newNamesBurst = 500;
const newNamesPerSecond = 100;

/** Names of one project, bounded: what is beyond the bounds is counted, and not learned. */
export class ProjectDefinitions {
  readonly #projectId: number;
  readonly #unwritten: Unwritten;
  readonly #clock: Clock;
  readonly #events = new Map<string, LearnedEvent>();
  readonly #owners = new Map<string, Map<string, LearnedProperty>>();
  /** Owners, and `events`, of which Postgres takes no new names, with the names that it has and memory does not. */
  readonly #full = new Map<string, Set<string>>();
  #shapes = 0;
  #pairs = 0;
  #unplaced = 0;
  #newNames = newNamesBurst;
  #newNamesAtMs: number;
  /** A name was put off during this look. */
  #isPutOff = false;
  /** Names that were left out since the last look. */
  leftOut = 0;
  /** True when an event of it was learned since the last look. */
  isUsed = false;

  constructor(projectId: number, unwritten: Unwritten, clock: Clock) {
    this.#projectId = projectId;
    this.#unwritten = unwritten;
    this.#clock = clock;
    this.#newNamesAtMs = clock.nowMs();
  }

  /** Names, shapes and pairs in memory. */
  get size(): number {
    let size = this.#events.size + this.#shapes + this.#pairs;
    for (const names of [...this.#owners.values(), ...this.#full.values()]) size += names.size;
    return size;
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
  }

  isFull({ owner, groupTypeIndex }: NameKind): boolean {
    return this.#full.has(ownerKey(owner, groupTypeIndex));
  }

  /** Takes no more names of this kind but these, which Postgres has. */
  close({ owner, groupTypeIndex }: NameKind, names: readonly string[]): void {
    const key = ownerKey(owner, groupTypeIndex);
    const inMemory = owner === 'events' ? this.#events : this.#owners.get(key);
    this.#full.set(key, new Set(names.filter((name) => inMemory?.has(name) !== true)));
  }

  /** Forgets a name that Postgres does not take. */
  refuse(refused: LearnedEvent | LearnedProperty): void {
    if ('owner' in refused) {
      this.#owners.get(ownerKey(refused.owner, refused.groupTypeIndex))?.delete(refused.name);
      refused.isSettled = true;
    } else {
      this.#events.delete(refused.name);
      this.#shapes -= refused.shapes.size;
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
    const isPlaced = known !== undefined || (this.#shapes < shapesMax && this.#refilled() >= 1);
    if (!isPlaced && this.#unplaced++ % sampledEvery !== 0) return;
    this.#isPutOff = false;
    const looked = this.#look(event, draft);
    // A shape without one of its names would never learn it.
    if (this.#isPutOff) return;
    if (key === null || !isPlaced) return;
    event.shapes.set(key, looked);
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
    if (event.properties.size >= propertiesOfEventMax || this.#pairs >= pairsMax) return;
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
    const known = this.#full.get(key);
    if (known === undefined ? size >= learnedNamesMax : !known.has(name)) {
      this.leftOut++;
      return false;
    }
    if (this.#refilled() < 1) {
      this.#isPutOff = true;
      return false;
    }
    this.#newNames--;
    known?.delete(name);
    return true;
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

/** No values of any kind. */
export function noCounts(): number[] {
  return valueKinds.map(() => 0);
}

function ownerKey(owner: string, groupTypeIndex: number): string {
  return groupTypeIndex === -1 ? owner : `${owner}:${groupTypeIndex}`;
}
