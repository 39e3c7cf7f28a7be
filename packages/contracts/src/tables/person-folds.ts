import { declareTable } from './declare-table.ts';

/** The overrides that are being folded into the events, by the run that does it. ClickHouse writes it itself (consumer, `squash/fold-sql.ts`). */
export const personFolds = declareTable('person_folds', {
  columns: { run: 'UUID', team_id: 'Int64', distinct_id: 'String', person_id: 'UUID', version: 'UInt64' },
  partitionTime: null,
  tenantColumn: null,
});
