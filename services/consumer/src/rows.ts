import type { events, ingestionWarnings, personDistinctIds, persons, RowOf } from '@millrace/clickhouse/tables.ts';

/** Rows by the table of database `analytics` that they go to. */
export interface TableRows {
  events: RowOf<typeof events>;
  persons: RowOf<typeof persons>;
  person_distinct_ids: RowOf<typeof personDistinctIds>;
  ingestion_warnings: RowOf<typeof ingestionWarnings>;
}

export type TableName = keyof TableRows;
