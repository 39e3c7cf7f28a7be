import { declareTable, time } from './declare-table.ts';

/** The same runs in words for people, and lines of whatever else has a log (contract/endpoints 7). */
export const logEntries = declareTable('log_entries', {
  columns: {
    team_id: 'Int64',
    log_source: 'LowCardinality(String)',
    log_source_id: 'String',
    instance_id: 'String',
    timestamp: time,
    level: 'LowCardinality(String)',
    message: 'String',
  },
  partitionTime: 'timestamp',
  tenantColumn: 'team_id',
});
