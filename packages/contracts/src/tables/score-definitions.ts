import { declareTable, time } from './declare-table.ts';

/** Definitions of scores, as Postgres has them; the highest version of a row counts. */
export const scoreDefinitions = declareTable('score_definitions', {
  columns: {
    team_id: 'Int64',
    id: 'UUID',
    name: 'String',
    description: 'String',
    kind: 'LowCardinality(String)',
    archived: 'Bool',
    tags: 'Array(String)',
    // Number and JSON text of the definition's own present version.
    current_version: 'UInt64',
    config: 'String',
    created_at: time,
    updated_at: time,
    is_deleted: 'Bool',
    version: 'UInt64',
  },
  partitionTime: null,
  tenantColumn: 'team_id',
});
