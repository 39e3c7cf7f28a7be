import { parseJson, type JsonObject } from '@millrace/json/exact-json.ts';
import { groupText, type GroupKey, type GroupState } from '../groups/group.ts';
import {
  keyText,
  PersonProperties,
  type KnownId,
  type MappingState,
  type PersonKey,
  type RemovedPerson,
  type StoredPerson,
} from '../persons/person.ts';
import { planTexts, type IdentityPlan, type PlanTexts } from './identity-plan.ts';
import * as sql from './identity-sql.ts';
import type { Database } from '../database.ts';
import { readWhole } from './read-whole.ts';

/** The last offset of a stream whose persons are written, and the persons that the last write removed. */
export interface StreamProgress {
  last: bigint | null;
  removed: RemovedPerson[];
}

/**
 * Persons and groups in Postgres, the truth of identity. One statement a call, whatever the number; more only for large
 * properties.
 */
export interface IdentityStore {
  /**
   * Finds these distinct ids, by `keyText`. Persons whom only `bare` keys name come without their properties.
   * @throws {BatchTooLargeError} when their persons have more than `sizeMax` characters of properties.
   */
  findPersons(keys: readonly PersonKey[], sizeMax: number, bare?: ReadonlySet<string>): Promise<Map<string, KnownId>>;
  /** Groups that are known, by `groupText`. The same. */
  findGroups(keys: readonly GroupKey[], sizeMax: number): Promise<Map<string, GroupState>>;
  /** Distinct ids that the stream's last write moved, as they are now: not all that their persons have. */
  movedBy(stream: string): Promise<MappingState[]>;
  /**
   * How many distinct ids these persons have, by the persons' keys; of those with more than `idsMovedMax` it only says that. Of the first of them:
   * at least of one, and of as many as one statement counts (`idsCountedMax`).
   */
  idsHeld(persons: readonly StoredPerson[]): Promise<Map<string, number>>;
  progress(stream: string): Promise<StreamProgress>;
  /**
   * Writes all of it and returns the distinct ids that merges moved; null: something changed meanwhile and nothing was
   * written.
   */
  write(plan: IdentityPlan): Promise<MappingState[] | null>;
}

/**
 * Most distinct ids that the merges of one batch move, which are one statement: a second of work, well within the time that it may take.
 * Without a bound any sender with the public token could make merges that never finish (contract/capture 4.4, move limit).
 */
export const idsMovedMax = 50_000;

/** Most distinct ids that one statement counts: at least as many as of four persons beyond the limit. A fraction of a second. */
const idsCountedMax = 4 * (idsMovedMax + 1);

/** Codes of conflicts between two writers: our own, and those of Postgres for unique and foreign keys, deadlocks and serialization. */
const conflictCodes: ReadonlySet<unknown> = new Set(['MR409', '23505', '23503', '40P01', '40001']);

/**
 * @throws whatever `pg` throws: every call can be repeated. `onConflict` is called for every `write` that came too
 * late.
 */
export function createIdentityStore(db: Database, onConflict: () => void): IdentityStore {
  return {
    async findPersons(keys, sizeMax, bare = new Set()) {
      if (keys.length === 0) return new Map();
      const fetch = async (some: readonly PersonRow[]) =>
        (await db.query<sql.FoundProperties>(sql.findPersonProperties(some.map(({ id }) => id)))).rows;
      return readUntilSteady(async () => {
        const { rows } = await db.query<sql.FoundRow>(sql.findPersons(keys));
        const persons = withoutUnwanted(rows.filter(hasPerson), bare);
        const whole = await readWhole(persons, { keyOf: ({ id }) => id, fetch, sizeMax });
        return whole === null ? null : toKnown(rows, whole);
      });
    },
    async findGroups(keys, sizeMax) {
      if (keys.length === 0) return new Map();
      const keyOf = (row: sql.FoundGroup): string => groupText(groupKey(row));
      const fetch = async (some: readonly sql.FoundGroup[]) =>
        (await db.query<sql.FoundProperties>(sql.findGroupProperties(some.map(groupKey)))).rows;
      return readUntilSteady(async () => {
        const { rows } = await db.query<sql.FoundGroup>(sql.findGroups(keys));
        const whole = await readWhole(rows, { keyOf, fetch, sizeMax });
        return whole === null ? null : new Map(whole.map(toGroup).map((group) => [groupText(group), group]));
      });
    },
    async movedBy(stream) {
      const { rows } = await db.query<sql.FoundMapping>(sql.findMoved(stream));
      return rows.map(toMapping);
    },
    async idsHeld(persons) {
      if (persons.length === 0) return new Map();
      const { rows } = await db.query<{ id: string; held: number; rows: number }>(
        sql.countIds(
          persons.map(({ id }) => id),
          { idsMax: idsMovedMax, allMax: idsCountedMax },
        ),
      );
      const counted = rows.reduce((sum, one) => sum + one.rows, 0);
      return new Map(rows.slice(0, counted >= idsCountedMax ? -1 : undefined).map(({ id, held }) => [id, held]));
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
        const { plan: text, rest } = planTexts(plan);
        const { rows } =
          rest.length === 0
            ? await db.query<sql.FoundMapping>(sql.writeIdentity(text))
            : await writeInParts(db, text, rest);
        return rows.map(toMapping);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && conflictCodes.has(error.code))) throw error;
        onConflict();
        return null;
      }
    },
  };
}

/** The rows that the plan writes stay locked until their properties have followed. */
function writeInParts(db: Database, text: string, rest: PlanTexts['rest']): Promise<{ rows: sql.FoundMapping[] }> {
  return db.transaction(async (one) => {
    const written = await one.query<sql.FoundMapping>(sql.writeIdentity(text));
    for (const { kind, list, length } of rest) {
      const { rows } = await one.query(sql.fillProperties(kind, list));
      if (rows.length !== length)
        throw new Error(`${rows.length} of ${length} ${kind} were there to get their properties`);
    }
    return written;
  });
}

const roundsMax = 10;

/** Reads again when something changed between two statements. */
async function readUntilSteady<T>(read: () => Promise<T | null>): Promise<T> {
  for (let round = 0; round < roundsMax; round++) {
    const found = await read();
    if (found !== null) return found;
  }
  throw new Error('persons or groups kept changing while they were read');
}

type PersonRow = sql.FoundRow & { id: string };
type Whole<Row> = Row & { properties: string };

const hasPerson = (row: sql.FoundRow): row is PersonRow => row.id !== null;

/** The rows with no properties, so that none are read, where those of the person are not needed. */
function withoutUnwanted(rows: readonly PersonRow[], bare: ReadonlySet<string>): PersonRow[] {
  if (bare.size === 0) return [...rows];
  const isBare = (row: PersonRow): boolean => bare.has(keyText({ teamId: row.team_id, distinctId: row.distinct_id }));
  const wanted = new Set(rows.filter((row) => !isBare(row)).map(({ id }) => id));
  return rows.map((row) => (wanted.has(row.id) ? row : { ...row, properties: '{}', size: null }));
}

/** @param withPerson of the rows those that have one, with all properties. */
function toKnown(rows: readonly sql.FoundRow[], withPerson: readonly Whole<PersonRow>[]): Map<string, KnownId> {
  const persons = new Map<string, StoredPerson>();
  const known = new Map<string, KnownId>();
  for (const row of rows) {
    if (hasPerson(row)) continue;
    const key = { teamId: row.team_id, distinctId: row.distinct_id };
    known.set(keyText(key), { ...key, mapping: null, hadAnonymousEvents: row.personless });
  }
  for (const row of withPerson) {
    const key = { teamId: row.team_id, distinctId: row.distinct_id };
    const person = persons.get(row.id) ?? toPerson(row.id, row);
    persons.set(row.id, person);
    known.set(keyText(key), {
      ...key,
      mapping: { version: Number(row.mapping_version), person },
      hadAnonymousEvents: false,
    });
  }
  return known;
}

function toPerson(id: string, row: Whole<PersonRow>): StoredPerson {
  const { team_id: teamId, uuid, is_identified: isIdentified, created_at: createdAt, last_seen_at: lastSeenAt } = row;
  return {
    id,
    teamId,
    uuid,
    properties: toProperties(row.properties),
    isIdentified,
    createdAt,
    lastSeenAt,
    version: Number(row.version),
  };
}

function groupKey({ team_id: teamId, index, key }: sql.FoundGroup): GroupKey {
  return { teamId, index, key };
}

function toGroup(row: Whole<sql.FoundGroup>): GroupState {
  const { properties, created_at: createdAt, updated_at: updatedAt, version } = row;
  return { ...groupKey(row), properties: toProperties(properties), createdAt, updatedAt, version: Number(version) };
}

function toMapping({ team_id: teamId, distinct_id: distinctId, uuid, version }: sql.FoundMapping): MappingState {
  return { teamId, distinctId, personId: uuid, version: Number(version) };
}

function toProperties(text: string): PersonProperties {
  return new PersonProperties(parseJson(text) as JsonObject);
}
