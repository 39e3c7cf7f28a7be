import type { WritingRow } from '@millrace/clickhouse/insert/row-list.ts';
import type { RowOf } from '@millrace/clickhouse/insert/table-columns.ts';
import type { groups } from '@millrace/contracts/tables/groups.ts';
import type { ingestionWarnings } from '@millrace/contracts/tables/ingestion-warnings.ts';
import type { personContents } from '@millrace/contracts/tables/person-contents.ts';
import type { personDistinctIds } from '@millrace/contracts/tables/person-distinct-ids.ts';
import type { personOverrides } from '@millrace/contracts/tables/person-overrides.ts';
import type { persons } from '@millrace/contracts/tables/persons.ts';

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
