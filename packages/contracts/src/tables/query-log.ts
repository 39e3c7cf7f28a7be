import { declareTable, time } from './declare-table.ts';

/** Runs of endpoints, and of queries that are not saved, one row each (contract/endpoints 10). A text that a run has nothing for is empty. */
export const queryLog = declareTable('query_log', {
  columns: {
    team_id: 'Int64',
    query_id: 'UUID',
    endpoint_id: 'UUID',
    name: 'String',
    endpoint_version: 'Nullable(UInt64)',
    query_start_time: time,
    query_duration_ms: 'Nullable(UInt64)',
    read_rows: 'Nullable(UInt64)',
    read_bytes: 'Nullable(UInt64)',
    result_rows: 'Nullable(UInt64)',
    error_code: 'LowCardinality(String)',
    path: 'LowCardinality(String)',
    cache: 'LowCardinality(String)',
    is_personal_api_key_request: 'Bool',
    api_key_id: 'String',
    client_query_id: 'String',
  },
  partitionTime: 'query_start_time',
  tenantColumn: 'team_id',
});
