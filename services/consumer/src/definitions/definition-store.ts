import {
  learnedNamesMax,
  learnedPairsMax,
  valueKinds,
  type PropertyOwner,
} from '@millrace/contracts/property-types.ts';
import type { Queryable } from '../database.ts';

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
  /** How often the type had been opened again when they were counted; null: not known. Those from before the last time do not count. */
  readonly reopenings: number | null;
}

/** A property in Postgres. */
interface StoredProperty {
  readonly isSettled: boolean;
  /** How often a member opened the type again. */
  readonly reopenings: number;
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

/** Times of a property. The hour of its type begins with the first value that is not null. */
export interface PropertySeen extends Seen {
  readonly firstValueMs: number;
}

/** Names of a project that share one limit: those of events, or of the properties of one owner. */
export interface NameKind {
  readonly projectId: number;
  /** `events`: the names of events. */
  readonly owner: PropertyOwner | 'events';
  readonly groupTypeIndex: number;
}

/** Names of a kind. */
export interface KindNames extends NameKind {
  readonly names: readonly string[];
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
   * differently. Returns the properties that Postgres has. Throws what `pg` throws.
   */
  writeProperties<Property extends PropertyName>(
    properties: readonly PropertyCounts<Property>[],
    seenOf: (property: Property) => PropertySeen,
  ): Promise<ReadonlyMap<Property, StoredProperty>>;
  /** Names that Postgres has of these projects, by kind; a kind without names is left out. Throws what `pg` throws. */
  findNames(projectIds: readonly number[]): Promise<KindNames[]>;
  /** Leaves out pairs of a name that Postgres does not have. Throws what `pg` throws. */
  writePairs(pairs: readonly EventProperty[]): Promise<void>;
  /** Says of projects without a learned name that all names that they have ever sent are learned. Throws what `pg` throws. */
  complete(projectIds: readonly number[]): Promise<void>;
  /** Says of projects that some of their names are not learned: a back-fill reads them again. Throws what `pg` throws. */
  markIncomplete(projectIds: readonly number[]): Promise<void>;
  /** Settles properties whose first value came an hour ago, a thousand in a statement. Throws what `pg` throws. */
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

const firstValue = `CASE WHEN ${valueKinds.map((kind) => `g.${kind}`).join(' + ')} > 0 THEN to_timestamp(g.first_value_ms / 1000.0) END`;
// Compared with the row as it is when it is updated: a member may just have opened the type again.
const isCounted = '(excluded.reopenings IS NULL OR excluded.reopenings = coalesce(d.reopenings, 0))';
const sumOf = (kind: string): string => `d.${kind} + CASE WHEN ${isCounted} THEN excluded.${kind} ELSE 0 END`;
const firstValueSum = `least(d.first_value_at, CASE WHEN ${isCounted} THEN excluded.first_value_at END)`;

const propertyStatement = `WITH given AS (
    SELECT g.* FROM jsonb_to_recordset($1::jsonb)
      AS g(project_id integer, type text, group_type_index smallint, name text, first_ms bigint, last_ms bigint, first_value_ms bigint,
        reopenings integer, ${all((kind) => `${kind} bigint`)})
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
  INSERT INTO property_definitions AS d
    (project_id, type, group_type_index, name, property_type, first_seen_at, last_seen_at, first_value_at, reopenings, ${kinds})
  SELECT g.project_id, g.type, g.group_type_index, g.name, settled_property_type(${all((kind) => `g.${kind}`)}, ${firstValue}),
    ${firstSeen}, ${lastSeen}, ${firstValue}, g.reopenings, ${all((kind) => `g.${kind}`)}
  FROM given g
  WHERE NOT EXISTS (SELECT FROM refused r
    WHERE (r.project_id, r.type, r.group_type_index, r.name) = (g.project_id, g.type, g.group_type_index, g.name))
  ORDER BY g.project_id, g.type, g.group_type_index, g.name
  ON CONFLICT (project_id, type, group_type_index, name) DO UPDATE SET
    ${seenUpdate},
    ${all((kind) => `${kind} = ${sumOf(kind)}`)},
    first_value_at = ${firstValueSum},
    property_type = coalesce(d.property_type, settled_property_type(${all(sumOf)}, ${firstValueSum}))
  RETURNING d.project_id, d.type, d.group_type_index, d.name, d.property_type IS NOT NULL AS is_settled, coalesce(d.reopenings, 0) AS reopenings`;

const pairStatement = `WITH given AS (
    SELECT g.*, row_number() OVER (PARTITION BY g.project_id) AS place
    FROM jsonb_to_recordset($1::jsonb) AS g(project_id integer, event text, property text)
    JOIN event_definitions d ON (d.project_id, d.name) = (g.project_id, g.event)
    JOIN property_definitions p ON (p.project_id, p.type, p.group_type_index, p.name) = (g.project_id, 'event', -1, g.property)
    WHERE NOT EXISTS (SELECT FROM event_properties e WHERE (e.project_id, e.event, e.property) = (g.project_id, g.event, g.property))
  ), taken AS MATERIALIZED (
    SELECT n.project_id, (SELECT count(*) FROM event_properties e WHERE e.project_id = n.project_id) AS pairs
    FROM (SELECT DISTINCT project_id FROM given) AS n
  )
  INSERT INTO event_properties (project_id, event, property)
  SELECT g.project_id, g.event, g.property FROM given g JOIN taken t ON t.project_id = g.project_id AND t.pairs + g.place <= $2
  ORDER BY g.project_id, g.event, g.property
  ON CONFLICT DO NOTHING`;

const settledAtOnce = 1_000;

// Rows that a consumer is writing just now are left out: they settle by that, or next time.
const settleStatement = `WITH old AS (
    SELECT id FROM property_definitions WHERE property_type IS NULL AND first_value_at < now() - interval '1 hour'
    ORDER BY first_value_at LIMIT $1 FOR NO KEY UPDATE SKIP LOCKED
  )
  UPDATE property_definitions d SET property_type = settled_property_type(${kinds}, first_value_at) FROM old
  WHERE d.id = old.id AND property_type IS NULL
  RETURNING property_type`;

const namesStatement = `SELECT project_id AS "projectId", 'events' AS owner, -1 AS "groupTypeIndex", array_agg(name) AS names
  FROM event_definitions WHERE project_id = ANY($1) GROUP BY project_id
  UNION ALL
  SELECT project_id, type, group_type_index, array_agg(name)
  FROM property_definitions WHERE project_id = ANY($1) GROUP BY project_id, type, group_type_index`;

const completeStatement = `UPDATE projects p SET definitions_complete_at = now()
  WHERE id = ANY($1) AND definitions_complete_at IS NULL
    AND NOT EXISTS (SELECT FROM event_definitions d WHERE d.project_id = p.id)`;

const runStatement = `UPDATE definition_backfills SET is_read = false WHERE project_id = ANY($1) AND period = 'run' AND is_read`;
const partsStatement = 'UPDATE definition_backfills SET is_read = false WHERE project_id = ANY($1) AND is_read';
const incompleteStatement =
  'UPDATE projects SET definitions_complete_at = NULL WHERE id = ANY($1) AND definitions_complete_at IS NOT NULL';

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
      const given = properties.map(({ property, counts, reopenings }) => ({
        project_id: property.projectId,
        type: property.owner,
        group_type_index: property.groupTypeIndex,
        name: property.name,
        ...seen(seenOf(property)),
        first_value_ms: seenOf(property).firstValueMs,
        reopenings,
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
          { isSettled: row.is_settled, reopenings: row.reopenings },
        ]),
      );
    },
    async findNames(projectIds) {
      const { rows } = await db.query<KindNames>({
        name: 'find-known-names',
        text: namesStatement,
        values: [projectIds],
      });
      return rows;
    },
    async writePairs(pairs) {
      const given = pairs.map(({ projectId, event, property }) => ({ project_id: projectId, event, property }));
      await db.query({
        name: 'write-event-properties',
        text: pairStatement,
        values: [JSON.stringify(given), learnedPairsMax],
      });
    },
    async complete(projectIds) {
      await db.query({ name: 'complete-definitions', text: completeStatement, values: [projectIds] });
    },
    async markIncomplete(projectIds) {
      // In this order: a back-fill locks the row of its run while it adds a part or calls the project complete. Later statements see that.
      await db.query({ name: 'reopen-definition-backfill', text: runStatement, values: [projectIds] });
      await db.query({ name: 'reopen-backfilled-parts', text: partsStatement, values: [projectIds] });
      await db.query({ name: 'mark-incomplete-definitions', text: incompleteStatement, values: [projectIds] });
    },
    async settleOld() {
      const settled = { name: 'settle-property-types', text: settleStatement, values: [settledAtOnce] };
      while ((await db.query<object>(settled)).rows.length === settledAtOnce);
    },
  };
}

interface PropertyRow {
  project_id: number;
  type: string;
  group_type_index: number;
  name: string;
  is_settled: boolean;
  reopenings: number;
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
