import { keyText, PersonProperties, personUuid, type KnownId, type PersonKey, type StoredPerson } from './person.ts';
import { PersonOfEvent } from './person-of-event.ts';
import { survivor } from './survivor.ts';

/** Person properties in rows of anonymous events: there are none. */
export const noProperties = new PersonProperties({});

/** A person while a batch is folded. */
export interface WorkingPerson {
  /** Null until Postgres has it. */
  readonly stored: StoredPerson | null;
  readonly teamId: number;
  readonly uuid: string;
  createdAt: string;
  lastSeenAt: string;
  isIdentified: boolean;
  properties: PersonProperties;
  /** The change is worth a write (contract/capture 4.3). */
  mustWrite: boolean;
  /** The highest version of the persons that were merged into this one; -1: none. */
  swallowedVersion: number;
  mergedInto: WorkingPerson | null;
}

interface WorkingId {
  readonly key: PersonKey;
  readonly known: KnownId | null;
  /** The person's id that follows from it, once computed. */
  ownUuid: string | null;
  /** Person columns of its anonymous events while it has no person. */
  nobody: PersonOfEvent | null;
  anonymousHere: boolean;
  /** The person that the batch gave it, when it had none. */
  first: WorkingPerson | null;
  person: WorkingPerson | null;
}

/** A distinct id that gets its first person. */
interface AddedId extends PersonKey {
  personId: string;
  version: number;
}

/** A distinct id to be written to `personless_distinct_ids`: it has anonymous events, or was joined to a person of another id. */
interface PersonlessId extends PersonKey {
  merged: boolean;
  /** The write fails if the row exists: the decision assumed that it does not. */
  fresh: boolean;
}

/** Changes of persons by a batch. */
export interface PersonChanges {
  created: WorkingPerson[];
  changed: { stored: StoredPerson; next: WorkingPerson }[];
  merged: { stored: StoredPerson; into: WorkingPerson }[];
  /** Persons whose state all of this rests on. */
  expected: StoredPerson[];
  added: AddedId[];
  personlessIds: PersonlessId[];
}

/** `YYYY-MM-DDTHH` */
const hourLength = 13;

/** The persons of a batch, after each of its events. In memory: `changes` says what to write. */
export class WorkingIdentity {
  readonly #known: ReadonlyMap<string, KnownId>;
  readonly #ids = new Map<string, WorkingId>();
  readonly #persons = new Map<string, WorkingPerson>();
  /** The person looked up last: an event looks up several times, with one key. */
  #last: { key: PersonKey; id: WorkingId } | null = null;

  constructor(known: ReadonlyMap<string, KnownId>) {
    this.#known = known;
  }

  personOf(key: PersonKey): WorkingPerson | null {
    const id = this.#id(key);
    return id.person === null ? null : (id.person = survivor(id.person));
  }

  /** Rows of this distinct id carry the id that follows from it. */
  hadAnonymousEvents(key: PersonKey): boolean {
    const id = this.#id(key);
    return id.anonymousHere || id.known?.hadAnonymousEvents === true;
  }

  /** The id that a person has who follows from this distinct id. */
  uuidOf(key: PersonKey): string {
    return ownUuidOf(this.#id(key));
  }

  /** Person columns of an anonymous event's row while the id has no person. */
  nobody(key: PersonKey): PersonOfEvent {
    const id = this.#id(key);
    return (id.nobody ??= new PersonOfEvent(ownUuidOf(id), 'propertyless', noProperties));
  }

  recordAnonymousEvent(key: PersonKey): void {
    this.#id(key).anonymousHere = true;
  }

  /** A new person, under the id that follows from `from`; it holds `from`. */
  create(
    from: PersonKey,
    start: Pick<WorkingPerson, 'createdAt' | 'isIdentified'> & { properties: (uuid: string) => PersonProperties },
  ): WorkingPerson {
    const uuid = this.uuidOf(from);
    const { createdAt, isIdentified } = start;
    const person: WorkingPerson = {
      stored: null,
      teamId: from.teamId,
      uuid,
      createdAt,
      lastSeenAt: createdAt,
      isIdentified,
      properties: start.properties(uuid),
      mustWrite: true,
      swallowedVersion: -1,
      mergedInto: null,
    };
    this.#persons.set(`${from.teamId}:${uuid}`, person);
    this.add(from, person);
    return person;
  }

  /** Gives a distinct id that has no person one. */
  add(key: PersonKey, person: WorkingPerson): void {
    const id = this.#id(key);
    id.person = person;
    id.first ??= person;
  }

  identify(person: WorkingPerson): void {
    if (person.isIdentified) return;
    person.isIdentified = true;
    person.mustWrite = true;
  }

  /** An event of the person. Written once an hour at most, and beside other changes (contract/capture 4.3). */
  see(person: WorkingPerson, timestamp: string): void {
    if (timestamp <= person.lastSeenAt) return;
    if (!timestamp.startsWith(person.lastSeenAt.slice(0, hourLength))) person.mustWrite = true;
    person.lastSeenAt = timestamp;
  }

  /** The source's ids go to the target, who has the properties given from now on; the earlier creation counts (contract/capture 4.4). */
  merge(source: WorkingPerson, target: WorkingPerson, properties: PersonProperties): void {
    target.properties = properties;
    if (source.createdAt < target.createdAt) target.createdAt = source.createdAt;
    if (source.lastSeenAt > target.lastSeenAt) target.lastSeenAt = source.lastSeenAt;
    target.isIdentified = true;
    target.mustWrite = true;
    target.swallowedVersion = Math.max(target.swallowedVersion, source.swallowedVersion, source.stored?.version ?? -1);
    source.mergedInto = target;
  }

  changes(): PersonChanges {
    const persons = [...this.#persons.values()];
    const living = persons.filter(({ mergedInto }) => mergedInto === null);
    const merged = persons.flatMap((person) =>
      person.mergedInto !== null && person.stored !== null ? [{ stored: person.stored, into: survivor(person) }] : [],
    );
    const added = [...this.#ids.values()].flatMap((id) =>
      id.first === null ? [] : [{ id, person: survivor(id.first) }],
    );
    const changed = living.flatMap((next) =>
      next.stored !== null && isChanged(next, next.stored) ? [{ stored: next.stored, next }] : [],
    );
    const expected = new Set([
      ...changed.map(({ stored }) => stored),
      ...merged.flatMap(({ stored, into }) => (into.stored === null ? [stored] : [stored, into.stored])),
      ...added.flatMap(({ person }) => (person.stored === null ? [] : [person.stored])),
    ]);
    return {
      created: living.filter(({ stored }) => stored === null),
      changed,
      merged,
      expected: [...expected],
      added: added.map(({ id, person }) => ({
        ...id.key,
        personId: person.uuid,
        version: hasRowsOfAnother(id, person) ? 1 : 0,
      })),
      personlessIds: [...this.#ids.values()].flatMap(personlessIdOf),
    };
  }

  #id(key: PersonKey): WorkingId {
    if (this.#last?.key === key) return this.#last.id;
    const id = this.#find(key);
    this.#last = { key, id };
    return id;
  }

  #find(key: PersonKey): WorkingId {
    const text = keyText(key);
    let id = this.#ids.get(text);
    if (id === undefined) {
      const known = this.#known.get(text) ?? null;
      const person = known?.mapping ? this.#open(known.mapping.person) : null;
      id = {
        key: { teamId: key.teamId, distinctId: key.distinctId },
        known,
        ownUuid: null,
        nobody: null,
        anonymousHere: false,
        first: null,
        person,
      };
      this.#ids.set(text, id);
    }
    return id;
  }

  /** Several distinct ids of one person share one working copy. */
  #open(stored: StoredPerson): WorkingPerson {
    const text = `${stored.teamId}:${stored.uuid}`;
    let person = this.#persons.get(text);
    if (person === undefined) {
      const { teamId, uuid, createdAt, lastSeenAt, isIdentified, properties } = stored;
      person = {
        stored,
        teamId,
        uuid,
        createdAt,
        lastSeenAt,
        isIdentified,
        properties,
        mustWrite: false,
        swallowedVersion: -1,
        mergedInto: null,
      };
      this.#persons.set(text, person);
    }
    return person;
  }
}

/** The version that a living person gets: above its own and above those of all it swallowed. */
export function nextVersion({ stored, swallowedVersion }: WorkingPerson): number {
  return Math.max(stored?.version ?? -1, swallowedVersion) + 1;
}

function ownUuidOf(id: WorkingId): string {
  return (id.ownUuid ??= personUuid(id.key));
}

function isChanged(next: WorkingPerson, stored: StoredPerson): boolean {
  if (!next.mustWrite) return false;
  return (
    next.properties !== stored.properties ||
    next.isIdentified !== stored.isIdentified ||
    next.createdAt !== stored.createdAt ||
    next.lastSeenAt !== stored.lastSeenAt
  );
}

/** Rows that are stored already, or that an earlier event of the batch makes, may carry another person's id. */
function hasRowsOfAnother(id: WorkingId, person: WorkingPerson): boolean {
  if (id.first !== person) return true;
  const anonymous = id.anonymousHere || id.known?.hadAnonymousEvents === true;
  return anonymous && person.uuid !== ownUuidOf(id);
}

/** An id with the person that is derived from it needs no condition: a concurrent writer creates the same one. */
function personlessIdOf(id: WorkingId): PersonlessId[] {
  const fresh = id.known?.hadAnonymousEvents !== true;
  if (id.first !== null) return survivor(id.first).uuid === ownUuidOf(id) ? [] : [{ ...id.key, merged: true, fresh }];
  return id.anonymousHere && id.person === null && fresh ? [{ ...id.key, merged: false, fresh: false }] : [];
}
