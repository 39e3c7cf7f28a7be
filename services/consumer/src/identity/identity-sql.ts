import type { GroupKey } from '../groups/group.ts';
import type { PersonKey } from '../persons/person.ts';
import type { Statement } from '../database.ts';

const iso = (column: string): string => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

/** A row of `findPersons`. 64-bit numbers come as text. */
export interface FoundRow {
  team_id: number;
  distinct_id: string;
  personless: boolean;
  /** Null, and so is all that follows: it has no person. */
  id: string | null;
  mapping_version: string;
  uuid: string;
  properties: string | null;
  /** Characters of the properties, about; null: few. */
  size: number | null;
  is_identified: boolean;
  created_at: string;
  last_seen_at: string;
  version: string;
}

/** Longer properties are not read together with the rest: one value of another statement each. In characters. */
const inlineMax = 4_000;

const inline = (table: string): string =>
  `CASE WHEN coalesce(${table}.properties_size, 0) <= ${inlineMax} THEN ${table}.properties::text END AS properties, ${table}.properties_size AS size`;

/** Stored state of distinct ids; unknown ones have no row. Large properties are left out: null. */
export function findPersons(keys: readonly PersonKey[]): Statement {
  return {
    name: 'find-persons',
    text: `SELECT wanted.team_id, wanted.distinct_id, n.distinct_id IS NOT NULL AS personless, p.id, m.version AS mapping_version,
    p.uuid, ${inline('p')}, p.is_identified, ${iso('p.created_at')} AS created_at,
    ${iso('coalesce(p.last_seen_at, p.created_at)')} AS last_seen_at, p.version
  FROM unnest($1::int[], $2::text[]) AS wanted(team_id, distinct_id)
  LEFT JOIN person_distinct_ids m ON m.team_id = wanted.team_id AND m.distinct_id = wanted.distinct_id
  LEFT JOIN persons p ON p.id = m.person_id
  LEFT JOIN personless_distinct_ids n ON m.person_id IS NULL AND n.team_id = wanted.team_id AND n.distinct_id = wanted.distinct_id
  WHERE m.person_id IS NOT NULL OR n.distinct_id IS NOT NULL`,
    values: [keys.map(({ teamId }) => teamId), keys.map(({ distinctId }) => distinctId)],
  };
}

/** Properties that were left out, and the version that they are of. */
export interface FoundProperties {
  key: string;
  version: string;
  properties: string;
}

/** Properties of persons, by the persons' keys. */
export function findPersonProperties(personIds: readonly string[]): Statement {
  return {
    name: 'find-person-properties',
    text: 'SELECT p.id::text AS key, p.version, p.properties::text AS properties FROM persons p WHERE p.id = ANY($1::bigint[])',
    values: [personIds],
  };
}

export interface FoundMapping {
  team_id: number;
  distinct_id: string;
  uuid: string;
  version: string;
}

/** Distinct ids that the last write of a stream moved, as they are now. */
export function findMoved(stream: string): Statement {
  return {
    name: 'find-moved',
    text: `SELECT m.team_id, m.distinct_id, p.uuid, m.version
  FROM consumed_streams s CROSS JOIN LATERAL jsonb_to_recordset(s.moved) AS moved(team_id integer, distinct_id text)
  JOIN person_distinct_ids m ON m.team_id = moved.team_id AND m.distinct_id = moved.distinct_id JOIN persons p ON p.id = m.person_id
  WHERE s.stream = $1`,
    values: [stream],
  };
}

/**
 * How many distinct ids the first of these persons have, by the persons' keys and in their order. Counts no further than to one beyond
 * `idsMax` of each, and to `allMax` of all: the last that has a row is not counted to its end when that is reached.
 */
export function countIds(
  personIds: readonly string[],
  { idsMax, allMax }: { idsMax: number; allMax: number },
): Statement {
  return {
    name: 'count-ids',
    text: `SELECT counted.id::text AS id, count(counted.one)::int AS held, count(*)::int AS rows
  FROM (SELECT wanted.id, wanted.place, ids.one FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted(id, place)
    LEFT JOIN LATERAL (SELECT 1 AS one FROM person_distinct_ids m WHERE m.person_id = wanted.id LIMIT $2::int + 1) AS ids ON true LIMIT $3::int) AS counted
  GROUP BY counted.id, counted.place ORDER BY counted.place`,
    values: [personIds, idsMax, allMax],
  };
}

export interface FoundGroup {
  team_id: number;
  index: number;
  key: string;
  properties: string | null;
  size: number | null;
  created_at: string;
  updated_at: string;
  version: string;
}

/** Groups; those that are not known have no row. Large properties are left out: null. */
export function findGroups(keys: readonly GroupKey[]): Statement {
  return {
    name: 'find-groups',
    text: `SELECT g.team_id, g.group_type_index AS index, g.group_key AS key, ${inline('g')},
    ${iso('g.created_at')} AS created_at, ${iso('g.updated_at')} AS updated_at, g.version
  FROM unnest($1::int[], $2::int[], $3::text[]) AS wanted(team_id, index, key)
  JOIN groups g ON g.team_id = wanted.team_id AND g.group_type_index = wanted.index AND g.group_key = wanted.key`,
    values: [keys.map(({ teamId }) => teamId), keys.map(({ index }) => index), keys.map(({ key }) => key)],
  };
}

/** Properties of groups, under `<project>:<index>:<key>`. */
export function findGroupProperties(keys: readonly GroupKey[]): Statement {
  const { values } = findGroups(keys);
  return {
    name: 'find-group-properties',
    text: `SELECT g.team_id || ':' || g.group_type_index || ':' || g.group_key AS key, g.version, g.properties::text AS properties
  FROM unnest($1::int[], $2::int[], $3::text[]) AS wanted(team_id, index, key)
  JOIN groups g ON g.team_id = wanted.team_id AND g.group_type_index = wanted.index AND g.group_key = wanted.key`,
    values,
  };
}

export interface FoundProgress {
  last_offset: string;
  removed: { team_id: number; uuid: string; version: number }[];
}

/** Statement of the last offset whose persons are written, for a stream. */
export function readProgress(stream: string): Statement {
  return {
    name: 'read-progress',
    text: 'SELECT last_offset, removed FROM consumed_streams WHERE stream = $1',
    values: [stream],
  };
}

/** Everything that a batch changes, as JSON (see `identity-plan.ts`). */
export function writeIdentity(plan: string): Statement {
  return {
    name: 'write-identity',
    text: 'SELECT team_id, distinct_id, uuid, version FROM write_identity($1::jsonb)',
    values: [plan],
  };
}

/**
 * Properties that a plan left out (see `identity-plan.ts`): of persons or of groups that it has just written. Returns a
 * row for each.
 */
export function fillProperties(kind: 'persons' | 'groups', list: string): Statement {
  const text =
    kind === 'persons'
      ? `UPDATE persons p SET properties = c.properties FROM jsonb_to_recordset($1::jsonb) AS c(team_id integer, uuid uuid, properties jsonb)
  WHERE p.team_id = c.team_id AND p.uuid = c.uuid RETURNING 1 AS filled`
      : `UPDATE groups g SET properties = c.properties FROM jsonb_to_recordset($1::jsonb) AS c(team_id integer, index integer, key text, properties jsonb)
  WHERE g.team_id = c.team_id AND g.group_type_index = c.index AND g.group_key = c.key RETURNING 1 AS filled`;
  return { name: `fill-${kind}`, text, values: [list] };
}
