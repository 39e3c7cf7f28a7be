import { learnedNamesMax, learnedPairsMax, type PropertyOwner } from '@millrace/contracts/property-types.ts';
import type { Queryable } from '../database.ts';
import { valueKinds } from './value-kind.ts';

/** The key of an event definition. */
export interface EventName {
  readonly projectId: number;
  readonly name: string;
}

/** The key of a property definition; `groupTypeIndex` is -1 for events and persons. */
export interface PropertyName extends EventName {
  readonly owner: PropertyOwner;
  readonly groupTypeIndex: number;
}

/** Values of a property to add, by the index of their kind. */
export interface PropertyCounts<Property extends PropertyName = PropertyName> {
  readonly property: Property;
  readonly counts: readonly number[];
}

/** A property that an event was met with. */
export interface EventProperty {
  readonly projectId: number;
  readonly event: string;
  readonly property: string;
}

/** First and last time, in milliseconds since 1970. */
export interface Seen {
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Learned names in Postgres. Names beyond the limits of their project are left out, and missing in what is returned. */
export interface DefinitionStore {
  /** Returns the events that Postgres has. Throws what `pg` throws. */
  writeEvents<Event extends EventName>(
    events: readonly Event[],
    seenOf: (event: Event) => Seen,
  ): Promise<ReadonlySet<Event>>;
  /**
   * Adds the counts, and settles types (contract/decisions 74) in the same statement, so that two consumers cannot settle one property
   * differently. Returns the properties that Postgres has, each with true when its type is settled. Throws what `pg` throws.
   */
  writeProperties<Property extends PropertyName>(
    properties: readonly PropertyCounts<Property>[],
    seenOf: (property: Property) => Seen,
  ): Promise<ReadonlyMap<Property, boolean>>;
  /** Throws what `pg` throws. */
  writePairs(pairs: readonly EventProperty[]): Promise<void>;
  /** Settles properties that have had few values for an hour. Throws what `pg` throws. */
  settleOld(): Promise<void>;
}

const kinds = valueKinds.join(', ');
const all = (text: (kind: string) => string): string => valueKinds.map(text).join(', ');

const firstSeen = 'to_timestamp(g.first_ms / 1000.0)';
const lastSeen = 'to_timestamp(g.last_ms / 1000.0)';
const seenUpdate =
  'first_seen_at = least(d.first_seen_at, excluded.first_seen_at), last_seen_at = greatest(d.last_seen_at, excluded.last_seen_at)';

// `taken` is materialized: as a part of the join, names would be counted again for each row.
const eventStatement = `WITH given AS (
    SELECT g.* FROM jsonb_to_recordset($1::jsonb) AS g(project_id integer, name text, first_ms bigint, last_ms bigint)
    JOIN projects p ON p.id = g.project_id
  ), new AS (
    SELECT g.*, row_number() OVER (PARTITION BY g.project_id ORDER BY g.name) AS place FROM given g
    WHERE NOT EXISTS (SELECT FROM event_definitions d WHERE d.project_id = g.project_id AND d.name = g.name)
  ), taken AS MATERIALIZED (
    SELECT n.project_id, (SELECT count(*) FROM event_definitions d WHERE d.project_id = n.project_id) AS names
    FROM (SELECT DISTINCT project_id FROM new) AS n
  ), refused AS (
    SELECT n.* FROM new n JOIN taken t ON t.project_id = n.project_id WHERE t.names + n.place > $2
  )
  INSERT INTO event_definitions AS d (project_id, name, first_seen_at, last_seen_at)
  SELECT g.project_id, g.name, ${firstSeen}, ${lastSeen} FROM given g
  WHERE NOT EXISTS (SELECT FROM refused r WHERE r.project_id = g.project_id AND r.name = g.name)
  ORDER BY g.project_id, g.name
  ON CONFLICT (project_id, name) DO UPDATE SET ${seenUpdate}
  RETURNING d.project_id, d.name`;

const propertyStatement = `WITH given AS (
    SELECT g.* FROM jsonb_to_recordset($1::jsonb)
      AS g(project_id integer, type text, group_type_index smallint, name text, first_ms bigint, last_ms bigint, ${all((kind) => `${kind} bigint`)})
    JOIN projects p ON p.id = g.project_id
  ), new AS (
    SELECT g.*, row_number() OVER (PARTITION BY g.project_id, g.type, g.group_type_index ORDER BY g.name) AS place FROM given g
    WHERE NOT EXISTS (SELECT FROM property_definitions d
      WHERE (d.project_id, d.type, d.group_type_index, d.name) = (g.project_id, g.type, g.group_type_index, g.name))
  ), taken AS MATERIALIZED (
    SELECT n.*, (SELECT count(*) FROM property_definitions d
      WHERE (d.project_id, d.type, d.group_type_index) = (n.project_id, n.type, n.group_type_index)) AS names
    FROM (SELECT DISTINCT project_id, type, group_type_index FROM new) AS n
  ), refused AS (
    SELECT n.* FROM new n JOIN taken t
      ON (t.project_id, t.type, t.group_type_index) = (n.project_id, n.type, n.group_type_index) WHERE t.names + n.place > $2
  )
  INSERT INTO property_definitions AS d (project_id, type, group_type_index, name, property_type, first_seen_at, last_seen_at, ${kinds})
  SELECT g.project_id, g.type, g.group_type_index, g.name, settled_property_type(${all((kind) => `g.${kind}`)}, ${firstSeen}),
    ${firstSeen}, ${lastSeen}, ${all((kind) => `g.${kind}`)}
  FROM given g
  WHERE NOT EXISTS (SELECT FROM refused r
    WHERE (r.project_id, r.type, r.group_type_index, r.name) = (g.project_id, g.type, g.group_type_index, g.name))
  ORDER BY g.project_id, g.type, g.group_type_index, g.name
  ON CONFLICT (project_id, type, group_type_index, name) DO UPDATE SET
    ${seenUpdate},
    ${all((kind) => `${kind} = d.${kind} + excluded.${kind}`)},
    property_type = coalesce(d.property_type, settled_property_type(${all((kind) => `d.${kind} + excluded.${kind}`)}, d.first_seen_at))
  RETURNING d.project_id, d.type, d.group_type_index, d.name, d.property_type IS NOT NULL AS is_settled`;

const pairStatement = `WITH given AS (
    SELECT g.*, row_number() OVER (PARTITION BY g.project_id) AS place
    FROM jsonb_to_recordset($1::jsonb) AS g(project_id integer, event text, property text)
    JOIN projects p ON p.id = g.project_id
    WHERE NOT EXISTS (SELECT FROM event_properties e WHERE (e.project_id, e.event, e.property) = (g.project_id, g.event, g.property))
  ), taken AS MATERIALIZED (
    SELECT n.project_id, (SELECT count(*) FROM event_properties e WHERE e.project_id = n.project_id) AS pairs
    FROM (SELECT DISTINCT project_id FROM given) AS n
  )
  INSERT INTO event_properties (project_id, event, property)
  SELECT g.project_id, g.event, g.property FROM given g JOIN taken t ON t.project_id = g.project_id AND t.pairs + g.place <= $2
  ORDER BY g.project_id, g.event, g.property
  ON CONFLICT DO NOTHING`;

const settleStatement = `UPDATE property_definitions SET property_type = settled_property_type(${kinds}, first_seen_at)
  WHERE property_type IS NULL AND first_seen_at < now() - interval '1 hour'
    AND settled_property_type(${kinds}, first_seen_at) IS NOT NULL`;

/** The store of the consumer's own role, which may add names and move what it learns. */
export function createDefinitionStore(db: Queryable): DefinitionStore {
  return {
    async writeEvents(events, seenOf) {
      const byKey = new Map(events.map((event) => [textOf(event.projectId, event.name), event]));
      const given = events.map((event) => ({ project_id: event.projectId, name: event.name, ...seen(seenOf(event)) }));
      const { rows } = await db.query<{ project_id: number; name: string }>({
        name: 'write-event-definitions',
        text: eventStatement,
        values: [JSON.stringify(given), learnedNamesMax],
      });
      return new Set(rows.map(({ project_id: id, name }) => found(byKey, textOf(id, name))));
    },
    async writeProperties(properties, seenOf) {
      const byKey = new Map(properties.map(({ property }) => [keyOf(property), property]));
      const given = properties.map(({ property, counts }) => ({
        project_id: property.projectId,
        type: property.owner,
        group_type_index: property.groupTypeIndex,
        name: property.name,
        ...seen(seenOf(property)),
        ...Object.fromEntries(valueKinds.map((kind, index) => [kind, counts[index]])),
      }));
      const { rows } = await db.query<PropertyRow>({
        name: 'write-property-definitions',
        text: propertyStatement,
        values: [JSON.stringify(given), learnedNamesMax],
      });
      return new Map(
        rows.map((row) => [
          found(byKey, textOf(row.project_id, row.type, row.group_type_index, row.name)),
          row.is_settled,
        ]),
      );
    },
    async writePairs(pairs) {
      const given = pairs.map(({ projectId, event, property }) => ({ project_id: projectId, event, property }));
      await db.query({
        name: 'write-event-properties',
        text: pairStatement,
        values: [JSON.stringify(given), learnedPairsMax],
      });
    },
    async settleOld() {
      await db.query({ name: 'settle-property-types', text: settleStatement, values: [] });
    },
  };
}

interface PropertyRow {
  project_id: number;
  type: string;
  group_type_index: number;
  name: string;
  is_settled: boolean;
}

const seen = ({ firstMs, lastMs }: Seen): { first_ms: number; last_ms: number } => ({
  first_ms: firstMs,
  last_ms: lastMs,
});

const keyOf = ({ projectId, owner, groupTypeIndex, name }: PropertyName): string =>
  textOf(projectId, owner, groupTypeIndex, name);
const textOf = (...parts: readonly (string | number)[]): string => parts.join(':');

function found<T>(byKey: ReadonlyMap<string, T>, key: string): T {
  const one = byKey.get(key);
  if (one === undefined) throw new Error(`Postgres returned a name that was not written: ${key}`);
  return one;
}
