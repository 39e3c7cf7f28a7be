import type { ChangedPerson, NewPerson } from './fold-persons.ts';
import type { PersonKey } from './person.ts';

/** A statement with its bound values; the name makes Postgres plan it once a connection. */
export interface Statement {
  name: string;
  text: string;
  values: unknown[];
}

/** A row of `findPersons`. 64-bit numbers come as text. */
export interface FoundRow {
  team_id: number;
  distinct_id: string;
  mapping_version: string;
  id: string;
  uuid: string;
  properties: string;
  is_identified: boolean;
  created_at: string;
  version: string;
}

/** The persons of distinct ids; ids without a person have no row. */
export function findPersons(keys: readonly PersonKey[]): Statement {
  return {
    name: 'find-persons',
    text: `SELECT m.team_id, m.distinct_id, m.version AS mapping_version, p.id, p.uuid, p.properties::text AS properties,
    p.is_identified, to_char(p.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS created_at, p.version
  FROM unnest($1::int[], $2::text[]) AS wanted(team_id, distinct_id)
  JOIN person_distinct_ids m ON m.team_id = wanted.team_id AND m.distinct_id = wanted.distinct_id
  JOIN persons p ON p.id = m.person_id`,
    values: [keys.map(({ teamId }) => teamId), keys.map(({ distinctId }) => distinctId)],
  };
}

/**
 * Creates persons and their distinct ids at once. A person that exists already is left alone and not answered, and so
 * are its mappings, but one that is missing is added.
 */
export function createPersons(persons: readonly NewPerson[]): Statement {
  return {
    name: 'create-persons',
    text: `WITH incoming AS (
    SELECT * FROM unnest($1::int[], $2::text[], $3::uuid[], $4::text[], $5::timestamptz[])
      AS t(team_id, distinct_id, uuid, properties, created_at)
  ), made AS (
    INSERT INTO persons (team_id, uuid, properties, is_identified, created_at, version)
    SELECT team_id, uuid, properties::jsonb, false, created_at, 0 FROM incoming ORDER BY team_id, uuid
    ON CONFLICT (team_id, uuid) DO NOTHING
    RETURNING id, team_id, uuid
  ), mapped AS (
    INSERT INTO person_distinct_ids (team_id, distinct_id, person_id, version)
    SELECT i.team_id, i.distinct_id, coalesce(made.id, p.id), 0
    FROM incoming i
    LEFT JOIN made ON made.team_id = i.team_id AND made.uuid = i.uuid
    LEFT JOIN persons p ON p.team_id = i.team_id AND p.uuid = i.uuid
    WHERE coalesce(made.id, p.id) IS NOT NULL
    ORDER BY i.team_id, i.distinct_id
    ON CONFLICT (team_id, distinct_id) DO NOTHING
    RETURNING team_id, distinct_id
  )
  SELECT made.uuid FROM made
  JOIN incoming i ON i.team_id = made.team_id AND i.uuid = made.uuid
  JOIN mapped ON mapped.team_id = i.team_id AND mapped.distinct_id = i.distinct_id`,
    values: [
      persons.map(({ teamId }) => teamId),
      persons.map(({ distinctId }) => distinctId),
      persons.map(({ uuid }) => uuid),
      persons.map(({ properties }) => properties.text),
      persons.map(({ createdAt }) => createdAt),
    ],
  };
}

/** Writes properties where the version is still the one that was read; answers the ids that were written. */
export function updatePersons(persons: readonly ChangedPerson[]): Statement {
  return {
    name: 'update-persons',
    text: `UPDATE persons p SET properties = changed.properties::jsonb, version = p.version + 1
  FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS changed(id, version, properties)
  WHERE p.id = changed.id AND p.version = changed.version
  RETURNING p.id`,
    values: [
      persons.map(({ person }) => person.id),
      persons.map(({ person }) => person.version),
      persons.map(({ properties }) => properties.text),
    ],
  };
}

/** Notes distinct ids as having had anonymous events. */
export function rememberPersonless(keys: readonly PersonKey[]): Statement {
  return {
    name: 'remember-personless',
    text: `INSERT INTO personless_distinct_ids (team_id, distinct_id, is_merged)
  SELECT team_id, distinct_id, false FROM unnest($1::int[], $2::text[]) AS t(team_id, distinct_id)
  ORDER BY team_id, distinct_id
  ON CONFLICT DO NOTHING`,
    values: [keys.map(({ teamId }) => teamId), keys.map(({ distinctId }) => distinctId)],
  };
}
