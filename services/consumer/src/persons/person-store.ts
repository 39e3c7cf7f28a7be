import { parseJson, type JsonObject } from '../json/exact-json.ts';
import { emptyObject } from '../json/clean-text.ts';
import type { ChangedPerson, NewPerson } from './fold-persons.ts';
import { keyText, PersonProperties, type Mapping, type PersonKey, type StoredPerson } from './person.ts';
import { createPersons, findPersons, rememberPersonless, updatePersons, type FoundRow } from './person-sql.ts';

/** The part of a `pg` pool that the stores use. */
export interface Queryable {
  query<Row extends object>(query: { name: string; text: string; values: unknown[] }): Promise<{ rows: Row[] }>;
}

/** Persons in Postgres, the truth of identity. One statement a call, whatever the number of persons. */
export interface PersonStore {
  /** The persons of these distinct ids, by `keyText`. */
  find(keys: readonly PersonKey[]): Promise<Map<string, Mapping>>;
  /** Creates persons with their distinct ids. Answers the keys of those that somebody else created meanwhile. */
  create(persons: readonly NewPerson[]): Promise<Set<string>>;
  /** Writes properties, each person's version one higher. Answers how many were written: the others were changed by somebody else meanwhile. */
  update(persons: readonly ChangedPerson[]): Promise<number>;
  /** Notes distinct ids that had anonymous events (contract/capture 4.2). */
  rememberPersonless(keys: readonly PersonKey[]): Promise<void>;
}

/** Personless ids that were noted already, so that a busy anonymous id costs one statement and not one a batch. */
const notedMax = 200_000;

/** @throws whatever `pg` throws: every call can be repeated. */
export function createPersonStore(db: Queryable): PersonStore {
  let noted = new Set<string>();
  return {
    async find(keys) {
      if (keys.length === 0) return new Map();
      const { rows } = await db.query<FoundRow>(findPersons(keys));
      return toMappings(rows);
    },
    async create(persons) {
      if (persons.length === 0) return new Set();
      const { rows } = await db.query<{ uuid: string }>(createPersons([...persons].sort(byKey)));
      const made = new Set(rows.map(({ uuid }) => uuid));
      return new Set(persons.filter(({ uuid }) => !made.has(uuid)).map(keyText));
    },
    async update(persons) {
      if (persons.length === 0) return 0;
      const sorted = [...persons].sort((a, b) => Number(BigInt(a.person.id) - BigInt(b.person.id)));
      const { rows } = await db.query<{ id: string }>(updatePersons(sorted));
      return rows.length;
    },
    async rememberPersonless(keys) {
      const fresh = keys.filter((key) => !noted.has(keyText(key)));
      if (fresh.length === 0) return;
      await db.query(rememberPersonless([...fresh].sort(byKey)));
      if (noted.size > notedMax) noted = new Set();
      for (const key of fresh) noted.add(keyText(key));
    },
  };
}

function byKey(left: PersonKey, right: PersonKey): number {
  if (left.teamId !== right.teamId) return left.teamId - right.teamId;
  return left.distinctId < right.distinctId ? -1 : Number(left.distinctId !== right.distinctId);
}

function toMappings(rows: readonly FoundRow[]): Map<string, Mapping> {
  const persons = new Map<string, StoredPerson>();
  const mappings = new Map<string, Mapping>();
  for (const row of rows) {
    const person = persons.get(row.id) ?? toPerson(row);
    persons.set(row.id, person);
    const { team_id: teamId, distinct_id: distinctId, mapping_version: version } = row;
    mappings.set(keyText({ teamId, distinctId }), { teamId, distinctId, version: Number(version), person });
  }
  return mappings;
}

function toPerson(row: FoundRow): StoredPerson {
  return {
    id: row.id,
    teamId: row.team_id,
    uuid: row.uuid,
    properties: new PersonProperties(Object.assign(emptyObject(), parseJson(row.properties) as JsonObject)),
    isIdentified: row.is_identified,
    createdAt: row.created_at,
    version: Number(row.version),
  };
}
