import { parseJson, type JsonObject } from '../json/exact-json.ts';
import { groupText, type GroupKey, type GroupState } from '../groups/group.ts';
import { keyText, PersonProperties, type KnownId, type MappingState, type PersonKey, type RemovedPerson, type StoredPerson } from '../persons/person.ts';
import { planText, type IdentityPlan } from './identity-plan.ts';
import * as sql from './identity-sql.ts';
import type { Queryable } from './queryable.ts';

/** How far a stream's persons are written, and whom that last write removed. */
export interface StreamProgress {
  last: bigint | null;
  removed: RemovedPerson[];
}

/** Persons and groups in Postgres, the truth of identity. One statement a call, whatever the number. */
export interface IdentityStore {
  /** What is known of these distinct ids, by `keyText`. */
  findPersons(keys: readonly PersonKey[]): Promise<Map<string, KnownId>>;
  /** Groups that are known, by `groupText`. */
  findGroups(keys: readonly GroupKey[]): Promise<Map<string, GroupState>>;
  /** All distinct ids of these persons. */
  mappingsOf(persons: readonly StoredPerson[]): Promise<MappingState[]>;
  /** The keys of those of these persons who have more distinct ids than one merge moves. */
  heavyPersons(persons: readonly StoredPerson[]): Promise<Set<string>>;
  progress(stream: string): Promise<StreamProgress>;
  /** Writes all of it and answers the distinct ids that merges moved; null: something changed meanwhile and nothing was written. */
  write(plan: IdentityPlan): Promise<MappingState[] | null>;
}

/**
 * Most distinct ids that one merge moves: some seconds of work, well within the time that a statement may take. Without a
 * bound whoever knows a project's public token could make a merge that no retry ever ends (contract/capture 4.4, move limit).
 */
const idsMovedMax = 50_000;

/** Ours, and what Postgres says of two who want the same: unique and foreign keys, deadlocks, serialization. */
const conflictCodes: ReadonlySet<unknown> = new Set(['MR409', '23505', '23503', '40P01', '40001']);

/** @throws whatever `pg` throws: every call can be repeated. `onConflict` is told of every `write` that came too late. */
export function createIdentityStore(db: Queryable, onConflict: () => void): IdentityStore {
  return {
    async findPersons(keys) {
      if (keys.length === 0) return new Map();
      const { rows } = await db.query<sql.FoundRow>(sql.findPersons(keys));
      return toKnown(rows);
    },
    async findGroups(keys) {
      if (keys.length === 0) return new Map();
      const { rows } = await db.query<sql.FoundGroup>(sql.findGroups(keys));
      return new Map(rows.map(toGroup).map((group) => [groupText(group), group]));
    },
    async mappingsOf(persons) {
      if (persons.length === 0) return [];
      const { rows } = await db.query<sql.FoundMapping>(sql.findMappings(persons.map(({ id }) => id)));
      return rows.map(toMapping);
    },
    async heavyPersons(persons) {
      if (persons.length === 0) return new Set();
      const { rows } = await db.query<{ id: string }>(sql.findHeavyPersons(persons.map(({ id }) => id), idsMovedMax));
      return new Set(rows.map(({ id }) => id));
    },
    async progress(stream) {
      const { rows } = await db.query<sql.FoundProgress>(sql.readProgress(stream));
      const [row] = rows;
      if (row === undefined) return { last: null, removed: [] };
      const removed = row.removed.map(({ team_id: teamId, uuid, version }) => ({ teamId, uuid, version }));
      return { last: BigInt(row.last_offset), removed };
    },
    async write(plan) {
      try {
        const { rows } = await db.query<sql.FoundMapping>(sql.writeIdentity(planText(plan)));
        return rows.map(toMapping);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && conflictCodes.has(error.code))) throw error;
        onConflict();
        return null;
      }
    },
  };
}

function toKnown(rows: readonly sql.FoundRow[]): Map<string, KnownId> {
  const persons = new Map<string, StoredPerson>();
  const known = new Map<string, KnownId>();
  for (const row of rows) {
    const key = { teamId: row.team_id, distinctId: row.distinct_id };
    if (row.id === null) {
      known.set(keyText(key), { ...key, mapping: null, hadAnonymousEvents: row.personless });
      continue;
    }
    const person = persons.get(row.id) ?? toPerson(row.id, row);
    persons.set(row.id, person);
    known.set(keyText(key), { ...key, mapping: { version: Number(row.mapping_version), person }, hadAnonymousEvents: false });
  }
  return known;
}

function toPerson(id: string, row: sql.FoundRow): StoredPerson {
  const { team_id: teamId, uuid, is_identified: isIdentified, created_at: createdAt, last_seen_at: lastSeenAt } = row;
  return { id, teamId, uuid, properties: toProperties(row.properties), isIdentified, createdAt, lastSeenAt, version: Number(row.version) };
}

function toGroup({ team_id: teamId, index, key, properties, created_at: createdAt, updated_at: updatedAt, version }: sql.FoundGroup): GroupState {
  return { teamId, index, key, properties: toProperties(properties), createdAt, updatedAt, version: Number(version) };
}

function toMapping({ team_id: teamId, distinct_id: distinctId, uuid, version }: sql.FoundMapping): MappingState {
  return { teamId, distinctId, personId: uuid, version: Number(version) };
}

function toProperties(text: string): PersonProperties {
  return new PersonProperties(parseJson(text) as JsonObject);
}
