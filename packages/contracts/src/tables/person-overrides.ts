import { declareTable, time } from './declare-table.ts';

/** Distinct ids whose older events carry another person's id; the highest version counts (contract/capture 5.3). */
export const personOverrides = declareTable('person_overrides', {
  columns: { team_id: 'Int64', distinct_id: 'String', person_id: 'UUID', version: 'UInt64' },
  filled: { inserted_at: time },
  partitionTime: null,
  tenantColumn: 'team_id',
});
