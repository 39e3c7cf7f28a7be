import fc from 'fast-check';
import { personUuid } from '../persons/person.ts';
import type { TestEvent } from './harness.ts';

// Identity as contract/capture 4.2–4.4 defines it, in the plainest words: one event after the other, no batches, no
// versions.

type Values = Record<string, number>;

/** One event of a story. Ids are letters; each story has its own. */
export interface Reported {
  kind: 'event' | '$set' | '$identify' | '$create_alias' | '$merge_dangerously';
  id: string;
  /** The other id of what merges. */
  other: string | null;
  anonymous: boolean;
  minute: number;
  set: Values;
  setOnce: Values;
  unset: string[];
}

const letters = fc.constantFrom('a', 'b', 'c', 'd');
const keys = fc.constantFrom('x', 'y');
const values = fc.dictionary(keys, fc.integer({ min: 0, max: 3 }), { maxKeys: 2 });

const plain = fc.record<Reported>({
  kind: fc.constantFrom('event', 'event', '$set', '$identify'),
  id: letters,
  other: fc.constant(null),
  anonymous: fc.boolean(),
  minute: fc.nat(5),
  set: values,
  setOnce: values,
  unset: fc.uniqueArray(keys, { maxLength: 1 }),
});

const merging = fc.record<Reported>({
  kind: fc.constantFrom('$identify', '$identify', '$create_alias', '$create_alias', '$merge_dangerously'),
  id: letters,
  other: letters,
  anonymous: fc.constant(false),
  minute: fc.nat(5),
  set: values,
  setOnce: values,
  unset: fc.constant([]),
});

/** Events of a few ids. An anonymous `$identify` contradicts itself and is left out. */
export function stories(lengthMax: number): fc.Arbitrary<Reported[]> {
  const reported = fc.oneof({ weight: 3, arbitrary: plain }, { weight: 4, arbitrary: merging });
  const fitting = reported.map((event) =>
    event.kind === '$identify' || event.kind === '$set' ? { ...event, anonymous: false } : event,
  );
  return fc.array(fitting, { minLength: 2, maxLength: lengthMax });
}

/** The event as it is sent. `distinctId` makes a story's letter a distinct id. */
export function eventOf(reported: Reported, uuid: string, distinctId: (letter: string) => string): TestEvent {
  const { kind, id, other, anonymous, set, setOnce, unset } = reported;
  const properties = {
    ...(anonymous ? { $process_person_profile: false } : {}),
    ...(Object.keys(set).length > 0 ? { $set: set } : {}),
    ...(Object.keys(setOnce).length > 0 ? { $set_once: setOnce } : {}),
    ...(unset.length > 0 ? { $unset: unset } : {}),
    ...(other === null ? {} : { [kind === '$identify' ? '$anon_distinct_id' : 'alias']: distinctId(other) }),
  };
  return {
    uuid,
    event: kind === 'event' ? 'tested' : kind,
    distinctId: distinctId(id),
    timestamp: timeOf(reported),
    properties: JSON.stringify(properties),
  };
}

function timeOf({ minute }: Reported): string {
  return `2026-05-04T10:0${minute}:00.000000Z`;
}

/** A person of the model. */
export interface ModelPerson {
  uuid: string;
  properties: Record<string, unknown>;
  isIdentified: boolean;
  createdAt: string;
}

/** Columns of an event's row. */
export interface ModelRow {
  mode: 'full' | 'propertyless' | 'force_upgrade';
  properties: Record<string, unknown>;
}

/** The state after some events of one story. */
export class IdentityModel {
  readonly #teamId: number;
  readonly #persons: Map<string, ModelPerson>;
  readonly #anonymous: Set<string>;

  constructor(teamId: number, from?: IdentityModel) {
    this.#teamId = teamId;
    // Persons are replaced, not changed: a copy shares them.
    this.#persons = new Map(from === undefined ? [] : from.#persons);
    this.#anonymous = new Set(from === undefined ? [] : from.#anonymous);
  }

  /** The person of each distinct id that has one. */
  get persons(): ReadonlyMap<string, ModelPerson> {
    return this.#persons;
  }

  /** Uuid of the current person of the distinct id. */
  personIdOf(distinctId: string): string {
    return this.#persons.get(distinctId)?.uuid ?? personUuid({ teamId: this.#teamId, distinctId });
  }

  apply(reported: Reported, uuid: string, distinctId: (letter: string) => string): ModelRow {
    const id = distinctId(reported.id);
    if (reported.anonymous) return this.#anonymousEvent(reported, id);
    if (reported.other !== null) this.#join(reported, uuid, id, distinctId(reported.other));
    const person = this.#persons.get(id) ?? this.#create(reported, uuid, id, false);
    this.#replace(person, { ...person, properties: updated(person.properties, reported) });
    return { mode: 'full', properties: this.#persons.get(id)?.properties ?? {} };
  }

  #anonymousEvent(reported: Reported, id: string): ModelRow {
    const person = this.#persons.get(id);
    if (person === undefined) this.#anonymous.add(id);
    const late = person !== undefined && Date.parse(timeOf(reported)) - Date.parse(person.createdAt) > 60_000;
    return { mode: late ? 'force_upgrade' : 'propertyless', properties: {} };
  }

  #join(reported: Reported, uuid: string, own: string, other: string): void {
    if (own === other) return;
    const [ownPerson, otherPerson] = [this.#persons.get(own), this.#persons.get(other)];
    if (!ownPerson && !otherPerson) {
      const person = this.#create(reported, uuid, this.#anonymous.has(other) ? other : own, true);
      this.#persons.set(own, person).set(other, person);
    } else if (!ownPerson || !otherPerson) {
      const person = (ownPerson ?? otherPerson) as ModelPerson;
      this.#persons.set(own, person).set(other, person);
      this.#replace(person, { ...person, isIdentified: true });
    } else if (ownPerson.uuid === otherPerson.uuid) {
      this.#replace(ownPerson, { ...ownPerson, isIdentified: true });
    } else {
      this.#merge(reported.kind, ownPerson, otherPerson);
    }
  }

  #merge(kind: Reported['kind'], own: ModelPerson, other: ModelPerson): void {
    const otherGoes = kind !== '$create_alias' || (own.isIdentified && !other.isIdentified);
    const [source, target] = otherGoes ? [other, own] : [own, other];
    if (source.isIdentified && kind !== '$merge_dangerously') return;
    const createdAt = source.createdAt < target.createdAt ? source.createdAt : target.createdAt;
    const merged = {
      uuid: target.uuid,
      properties: { ...source.properties, ...target.properties },
      createdAt,
      isIdentified: true,
    };
    this.#replace(source, merged);
    this.#replace(target, merged);
  }

  #create(reported: Reported, uuid: string, from: string, isIdentified: boolean): ModelPerson {
    const properties = { ...updated({}, reported), $creator_event_uuid: uuid };
    const person = {
      uuid: personUuid({ teamId: this.#teamId, distinctId: from }),
      properties,
      isIdentified,
      createdAt: timeOf(reported),
    };
    this.#persons.set(from, person);
    return person;
  }

  #replace(before: ModelPerson, after: ModelPerson): void {
    for (const [id, person] of this.#persons) if (person.uuid === before.uuid) this.#persons.set(id, after);
  }
}

function updated(properties: Record<string, unknown>, { set, setOnce, unset }: Reported): Record<string, unknown> {
  const next = { ...setOnce, ...properties, ...set };
  for (const key of unset) delete next[key];
  return next;
}

/** The possible final states of a story when only the order of each id's own events is fixed. */
export function endings(
  story: readonly Reported[],
  uuids: readonly string[],
  teamId: number,
  distinctId: (letter: string) => string,
): IdentityModel[] {
  const found = new Map<string, IdentityModel>();
  const explore = (model: IdentityModel, left: readonly number[]): void => {
    if (left.length === 0) return void found.set(stateText(model), model);
    const begun = new Set<string>();
    for (const index of left) {
      const reported = story[index] as Reported;
      if (begun.has(reported.id)) continue;
      begun.add(reported.id);
      const next = new IdentityModel(teamId, model);
      next.apply(reported, uuids[index] as string, distinctId);
      explore(
        next,
        left.filter((other) => other !== index),
      );
    }
  };
  explore(
    new IdentityModel(teamId),
    story.map((_, index) => index),
  );
  return [...found.values()];
}

/** Equal for equal states. */
export function stateText(model: Pick<IdentityModel, 'persons'>): string {
  const sorted = (values: Record<string, unknown>): unknown =>
    Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  const lines = [...model.persons].map(([id, { uuid, properties, isIdentified, createdAt }]) =>
    JSON.stringify([id, uuid, isIdentified, createdAt, sorted(properties)]),
  );
  return lines.sort().join('\n');
}
