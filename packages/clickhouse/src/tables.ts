import { bool, dateTime64, enum8, int64, lowCardinality, nullable, placedUuid, propertyMap, string, uint64, uint8, utf8, uuid, type Column } from './columns.ts';

type Columns = Readonly<Record<string, Column<never>>>;

/** A table that we insert into: the columns that we send, in this order. Those with a default of the table are left out. */
export interface Table<C extends Columns = Columns> {
  /** With its database. */
  readonly name: string;
  readonly columns: C;
  /** The time by whose month the table is partitioned. */
  readonly partitionTime: string | null;
}

/** A row of a table as `insertRows` takes it. */
export type RowOf<T> = T extends Table<infer C> ? { readonly [K in keyof C]: C[K] extends Column<infer V> ? V : never } : never;

function table<const C extends Columns>(name: string, partitionTime: (keyof C & string) | null, columns: C): Table<C> {
  return { name, columns, partitionTime };
}

/** What an event says itself, whosever it is. */
const ownColumns = {
  team_id: int64,
  uuid: placedUuid,
  event: string,
  distinct_id: string,
  timestamp: dateTime64,
  created_at: dateTime64,
  properties_text: utf8,
  properties: propertyMap,
  elements_chain: string,
  $session_id: string,
  $window_id: string,
  $group_0: string,
  $group_1: string,
  $group_2: string,
  $group_3: string,
  $group_4: string,
  historical_migration: bool,
} as const;

/** What it says of its person. */
const personColumns = {
  person_id: uuid,
  person_mode: enum8({ full: 0, propertyless: 1, force_upgrade: 2 }),
  person_properties_text: utf8,
  person_properties: propertyMap,
  person_content: uint64,
} as const;

/**
 * Events, one row each; properties are stored twice, as text and by name. The columns of the person
 * come last: all that stands before them can be written before the person is known.
 */
export const events = table('analytics.events', 'timestamp', { ...ownColumns, ...personColumns });
export type EventRow = RowOf<typeof events>;

/** Persons; of several rows with one id that of the highest version counts. */
export const persons = table('analytics.persons', null, {
  team_id: int64,
  id: uuid,
  created_at: dateTime64,
  last_seen_at: dateTime64,
  is_identified: bool,
  is_deleted: bool,
  version: uint64,
  properties_text: string,
  properties: propertyMap,
});
export type PersonRow = RowOf<typeof persons>;

/** Which person a distinct id belongs to; the highest version counts. */
export const personDistinctIds = table('analytics.person_distinct_ids', null, {
  team_id: int64,
  distinct_id: string,
  person_id: uuid,
  is_deleted: bool,
  version: uint64,
});
export type PersonDistinctIdRow = RowOf<typeof personDistinctIds>;

/** Distinct ids whose older events carry another person's id; the highest version counts (contract/capture 5.3). */
export const personOverrides = table('analytics.person_overrides', null, {
  team_id: int64,
  distinct_id: string,
  person_id: uuid,
  version: uint64,
});
export type PersonOverrideRow = RowOf<typeof personOverrides>;

/**
 * Large properties of persons, by their content: rows with one id say the same. An event whose `person_content` is not 0 has its
 * person's properties here, and none in its row
 * (`docs/decisions/large-person-properties.md`).
 */
export const personContents = table('analytics.person_contents', null, {
  team_id: int64,
  id: uint64,
  properties_text: string,
  properties: propertyMap,
});
export type PersonContentRow = RowOf<typeof personContents>;

/** Groups; of several rows with one index and key that of the highest version counts. */
export const groups = table('analytics.groups', null, {
  team_id: int64,
  group_type_index: uint8,
  group_key: string,
  created_at: dateTime64,
  updated_at: dateTime64,
  is_deleted: bool,
  version: uint64,
  properties_text: string,
  properties: propertyMap,
});
export type GroupRow = RowOf<typeof groups>;

/** What went wrong with a project's events (contract/capture 4.7). */
export const ingestionWarnings = table('analytics.ingestion_warnings', 'timestamp', {
  team_id: int64,
  source: lowCardinality,
  type: lowCardinality,
  severity: lowCardinality,
  category: lowCardinality,
  count: uint64,
  details: string,
  timestamp: dateTime64,
});
export type IngestionWarningRow = RowOf<typeof ingestionWarnings>;

/** What became of each run of an endpoint (contract/endpoints 10). Texts that a run has nothing for are empty. */
export const queryLog = table('analytics.query_log', 'query_start_time', {
  team_id: int64,
  query_id: uuid,
  endpoint_id: uuid,
  name: string,
  endpoint_version: nullable(uint64),
  query_start_time: dateTime64,
  query_duration_ms: nullable(uint64),
  read_rows: nullable(uint64),
  read_bytes: nullable(uint64),
  result_rows: nullable(uint64),
  error_code: lowCardinality,
  path: lowCardinality,
  cache: lowCardinality,
  is_personal_api_key_request: bool,
  api_key_id: string,
  client_query_id: string,
});
export type QueryLogRow = RowOf<typeof queryLog>;

/** The same told for people, and whatever else has a log (contract/endpoints 7). */
export const logEntries = table('analytics.log_entries', 'timestamp', {
  team_id: int64,
  log_source: lowCardinality,
  log_source_id: string,
  instance_id: string,
  timestamp: dateTime64,
  level: lowCardinality,
  message: string,
});
export type LogEntryRow = RowOf<typeof logEntries>;
