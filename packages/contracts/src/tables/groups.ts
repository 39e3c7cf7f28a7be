import { declareTable, propertyMap, time } from './declare-table.ts';

/** Groups; of several rows with one index and key that of the highest version counts. */
export const groups = declareTable('groups', {
  columns: {
    team_id: 'Int64',
    group_type_index: 'UInt8',
    group_key: 'String',
    created_at: time,
    updated_at: time,
    is_deleted: 'Bool',
    version: 'UInt64',
    properties_text: 'String',
    properties: propertyMap,
  },
  partitionTime: null,
  tenantColumn: 'team_id',
});
