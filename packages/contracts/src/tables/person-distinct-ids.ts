import { declareTable } from './declare-table.ts';

/** The person of each distinct id; the highest version counts. */
export const personDistinctIds = declareTable('person_distinct_ids', {
  columns: { team_id: 'Int64', distinct_id: 'String', person_id: 'UUID', is_deleted: 'Bool', version: 'UInt64' },
  partitionTime: null,
  tenantColumn: 'team_id',
});
