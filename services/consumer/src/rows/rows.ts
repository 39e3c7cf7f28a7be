import type { WritingRow } from '@millrace/clickhouse/row-list.ts';
import type { groups, ingestionWarnings, personContents, personDistinctIds, personOverrides, persons, RowOf } from '@millrace/clickhouse/tables.ts';

/** Rows by the table of database `analytics` that they go to. */
export interface TableRows {
  /** Their own columns are written before their person is known. */
  events: WritingRow;
  persons: RowOf<typeof persons>;
  person_distinct_ids: RowOf<typeof personDistinctIds>;
  person_overrides: RowOf<typeof personOverrides>;
  person_contents: RowOf<typeof personContents>;
  groups: RowOf<typeof groups>;
  ingestion_warnings: RowOf<typeof ingestionWarnings>;
}

export type TableName = keyof TableRows;
