import { warn, type EventDraft } from '../event-draft.ts';
import { limitProperties } from './limit-properties.ts';
import { initialProperties, mergeProperties } from './merge-properties.ts';
import { keyText, PersonProperties, personUuid, type Mapping, type PersonKey, type StoredPerson } from './person.ts';

type PersonMode = 'full' | 'propertyless' | 'force_upgrade';

/** What an event's row says of its person (contract/capture 4.2). */
export interface PersonOfEvent {
  personId: string;
  mode: PersonMode;
  properties: PersonProperties;
}

/** A person that the batch brings into being. */
export interface NewPerson extends PersonKey {
  uuid: string;
  properties: PersonProperties;
  createdAt: string;
}

/** A person of Postgres whose properties change. */
export interface ChangedPerson {
  person: StoredPerson;
  properties: PersonProperties;
}

export interface FoldedPersons {
  /** One for each event, in order. */
  ofEvents: PersonOfEvent[];
  created: NewPerson[];
  changed: ChangedPerson[];
  /** Distinct ids of anonymous events without a person, each once. */
  personless: PersonKey[];
}

/** A person while the batch is folded. `stored` is null until Postgres has it. */
interface Working {
  stored: StoredPerson | null;
  key: PersonKey;
  uuid: string;
  createdAt: string;
  current: PersonProperties;
  mustWrite: boolean;
}

const noProperties = new PersonProperties({});

/** An anonymous event this much later than its person's creation shows that the project identifies this user. */
const forceUpgradeAfterMs = 60_000;

/**
 * Folds the events of a batch, in order, over the persons known to Postgres. Pure but for the warnings that it leaves:
 * the same events over the same persons always give the same writes.
 */
export function foldPersons(drafts: readonly EventDraft[], known: ReadonlyMap<string, Mapping>): FoldedPersons {
  const byKey = new Map<string, Working>();
  const byPerson = new Map<string, Working>();
  const personless = new Map<string, PersonKey>();
  const ofEvents = drafts.map((draft): PersonOfEvent => {
    const key: PersonKey = { teamId: draft.project.id, distinctId: draft.head.distinctId };
    const text = keyText(key);
    const person = byKey.get(text) ?? open(known.get(text), byPerson);
    if (person !== null) byKey.set(text, person);
    if (draft.profile === 'anonymous' || (draft.profile === 'existing' && person === null)) {
      if (person === null) personless.set(text, key);
      return anonymous(draft, key, person);
    }
    if (person !== null) return full(update(person, draft));
    const made = create(draft, key);
    byKey.set(text, made);
    return full(made);
  });
  return { ofEvents, personless: [...personless.values()], ...writes(new Set(byKey.values())) };
}

/** Several distinct ids of one person share one working copy. */
function open(mapping: Mapping | undefined, byPerson: Map<string, Working>): Working | null {
  if (mapping === undefined) return null;
  const { person: stored } = mapping;
  let working = byPerson.get(stored.id);
  if (working === undefined) {
    const { uuid, createdAt, properties } = stored;
    working = { stored, key: mapping, uuid, createdAt, current: properties, mustWrite: false };
    byPerson.set(stored.id, working);
  }
  return working;
}

function anonymous(draft: EventDraft, key: PersonKey, person: Working | null): PersonOfEvent {
  if (person === null) return { personId: personUuid(key.teamId, key.distinctId), mode: 'propertyless', properties: noProperties };
  const late = Date.parse(draft.head.timestamp) - Date.parse(person.createdAt) > forceUpgradeAfterMs;
  return { personId: person.uuid, mode: late ? 'force_upgrade' : 'propertyless', properties: noProperties };
}

function full({ uuid, current }: Working): PersonOfEvent {
  return { personId: uuid, mode: 'full', properties: current };
}

function create(draft: EventDraft, key: PersonKey): Working {
  const uuid = personUuid(key.teamId, key.distinctId);
  const properties = new PersonProperties(initialProperties(draft.update, draft.head.uuid));
  const least = new PersonProperties(initialProperties(null, draft.head.uuid));
  const current = limited(draft, uuid, properties, least);
  return { stored: null, key, uuid, createdAt: draft.head.timestamp, current, mustWrite: true };
}

function update(person: Working, draft: EventDraft): Working {
  if (draft.update === null) return person;
  const { properties, change } = mergeProperties(person.current.values, draft.update);
  if (change === 'none') return person;
  person.current = limited(draft, person.uuid, new PersonProperties(properties), person.current);
  if (change === 'write') person.mustWrite = true;
  return person;
}

function limited(draft: EventDraft, personId: string, next: PersonProperties, previous: PersonProperties): PersonProperties {
  const { properties, verdict } = limitProperties(next, previous);
  if (verdict !== 'fits') {
    const message = verdict === 'trimmed' ? 'the largest properties were left out' : 'the update was refused';
    warn(draft, 'person_properties_size_violation', { personId, teamId: draft.project.id, message });
  }
  return properties;
}

function writes(persons: ReadonlySet<Working>): Pick<FoldedPersons, 'created' | 'changed'> {
  const created: NewPerson[] = [];
  const changed: ChangedPerson[] = [];
  for (const { stored, key, uuid, createdAt, current, mustWrite } of persons) {
    if (stored === null) created.push({ ...key, uuid, properties: current, createdAt });
    else if (mustWrite && current !== stored.properties) changed.push({ person: stored, properties: current });
  }
  return { created, changed };
}
