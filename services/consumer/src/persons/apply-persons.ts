import type { EventDraft } from '../event-draft.ts';
import { foldPersons, type ChangedPerson, type FoldedPersons, type NewPerson, type PersonOfEvent } from './fold-persons.ts';
import { keyText, type Mapping, type PersonKey, type StoredPerson } from './person.ts';
import type { PersonStore } from './person-store.ts';

/** A person's state for ClickHouse. */
export type PersonState = Omit<StoredPerson, 'id'>;

/** A distinct id's state for ClickHouse. */
export interface MappingState extends PersonKey {
  personId: string;
  version: number;
}

export interface AppliedPersons {
  ofEvents: PersonOfEvent[];
  persons: PersonState[];
  mappings: MappingState[];
}

/** Thrown when persons keep changing under us; the batch is tried again like after any trouble with Postgres. */
class PersonsContendedError extends Error {
  override name = 'PersonsContendedError';
}

const roundsMax = 5;

/**
 * Brings the batch's persons up to date in Postgres and answers what ClickHouse must hear: the state of every person and
 * distinct id that was written. With `emitAll` that of every one that the events touch, written now or not: a batch that
 * is done again (after a crash, or after a reply of Postgres was lost) finds its writes done, and must still tell ClickHouse.
 */
export async function applyPersons(
  drafts: readonly EventDraft[],
  store: PersonStore,
  { emitAll }: { emitAll: boolean },
): Promise<AppliedPersons> {
  const keys = distinctKeys(drafts);
  for (let round = 0; round < roundsMax; round++) {
    const known = await store.find(keys);
    for (const draft of drafts) dropSizeWarnings(draft);
    const folded = foldPersons(drafts, known);
    await store.rememberPersonless(folded.personless);
    const lost = await store.create(folded.created);
    const written = await store.update(folded.changed);
    // Another lane wrote one of these persons between our look and our write: look again.
    if (lost.size > 0 || written < folded.changed.length) continue;
    return { ofEvents: folded.ofEvents, ...states(folded, emitAll || round > 0 ? known : null) };
  }
  throw new PersonsContendedError('persons of the batch kept changing');
}

/** A fold that is done again leaves its own warnings. */
function dropSizeWarnings(draft: EventDraft): void {
  if (draft.warnings.length === 0) return;
  const kept = draft.warnings.filter(({ type }) => type !== 'person_properties_size_violation');
  draft.warnings.splice(0, Infinity, ...kept);
}

function distinctKeys(drafts: readonly EventDraft[]): PersonKey[] {
  const keys = new Map<string, PersonKey>();
  for (const { project, head } of drafts) {
    const key = { teamId: project.id, distinctId: head.distinctId };
    keys.set(keyText(key), key);
  }
  return [...keys.values()];
}

/** `touched`: all persons that were found, to be told again; null: only those written. */
function states({ created, changed }: FoldedPersons, touched: ReadonlyMap<string, Mapping> | null): Omit<AppliedPersons, 'ofEvents'> {
  const persons = new Map<string, PersonState>();
  const mappings = created.map((person): MappingState => ({ ...keyOf(person), personId: person.uuid, version: 0 }));
  for (const { person, ...mapping } of touched?.values() ?? []) {
    persons.set(person.id, person);
    mappings.push({ ...keyOf(mapping), personId: person.uuid, version: mapping.version });
  }
  for (const change of changed) persons.set(change.person.id, changedState(change));
  return { persons: [...created.map(createdState), ...persons.values()], mappings };
}

function keyOf({ teamId, distinctId }: PersonKey): PersonKey {
  return { teamId, distinctId };
}

function createdState({ teamId, uuid, properties, createdAt }: NewPerson): PersonState {
  return { teamId, uuid, properties, createdAt, isIdentified: false, version: 0 };
}

function changedState({ person, properties }: ChangedPerson): PersonState {
  const { teamId, uuid, isIdentified, createdAt, version } = person;
  return { teamId, uuid, properties, isIdentified, createdAt, version: version + 1 };
}
