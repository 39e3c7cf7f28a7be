import { declareTable } from './declare-table.ts';

/** The overrides that are being squashed, by run. The name of the table is of before. ClickHouse writes it itself (consumer, `squash/squash-sql.ts`). */
export const personFolds = declareTable('person_folds', {
  columns: { run: 'UUID', team_id: 'Int64', distinct_id: 'String', person_id: 'UUID', version: 'UInt64' },
  partitionTime: null,
  tenantColumn: null,
});
