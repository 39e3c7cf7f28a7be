import { declareTable, time } from './declare-table.ts';

/** Reports of events that were dropped or changed (contract/capture 4.7). */
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
