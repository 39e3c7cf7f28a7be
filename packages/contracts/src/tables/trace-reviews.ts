import { declareTable, time } from './declare-table.ts';

/** Reviews of traces, as Postgres has them; of several rows with one id that of the highest version counts (contract/llm-surveys 4). */
export const traceReviews = declareTable('trace_reviews', {
  columns: {
    team_id: 'Int64',
    id: 'UUID',
    trace_id: 'String',
    // Empty: none.
    comment: 'String',
    created_by_id: 'Nullable(UInt64)',
    reviewed_by_id: 'Nullable(UInt64)',
    created_at: time,
    updated_at: time,
    is_deleted: 'Bool',
    version: 'UInt64',
  },
  partitionTime: null,
  tenantColumn: 'team_id',
});
