import { declareTable, time } from './declare-table.ts';

/** What was dropped or changed of a project's events (contract/capture 4.7). */
export const ingestionWarnings = declareTable('ingestion_warnings', {
  columns: {
    team_id: 'Int64',
    source: 'LowCardinality(String)',
    type: 'LowCardinality(String)',
    severity: 'LowCardinality(String)',
    category: 'LowCardinality(String)',
    count: 'UInt64',
    details: 'String',
    timestamp: time,
  },
  partitionTime: 'timestamp',
  tenantColumn: 'team_id',
});
