import type { events, groups, ingestionWarnings, personDistinctIds, personOverrides, persons, RowOf } from '@millrace/clickhouse/tables.ts';

/** Rows by the table of database `analytics` that they go to. */
export interface TableRows {
  events: RowOf<typeof events>;
  persons: RowOf<typeof persons>;
  person_distinct_ids: RowOf<typeof personDistinctIds>;
  person_overrides: RowOf<typeof personOverrides>;
  groups: RowOf<typeof groups>;
  ingestion_warnings: RowOf<typeof ingestionWarnings>;
}

export type TableName = keyof TableRows;
