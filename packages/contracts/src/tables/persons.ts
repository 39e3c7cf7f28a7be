import { declareTable, propertyMap, time } from './declare-table.ts';

/** Persons; of several rows with one id that of the highest version counts. */
export const persons = declareTable('persons', {
  columns: {
    team_id: 'Int64',
    id: 'UUID',
    created_at: time,
    last_seen_at: time,
    is_identified: 'Bool',
    is_deleted: 'Bool',
    version: 'UInt64',
    properties_text: 'String',
    properties: propertyMap,
  },
  partitionTime: null,
  tenantColumn: 'team_id',
});
