import { declareTable, time } from './declare-table.ts';

/** Scores of reviews, as Postgres has them; the highest version counts. Exactly one of the three values is there: a list that is not empty, or no null. */
export const traceScores = declareTable('trace_scores', {
  columns: {
    team_id: 'Int64',
    id: 'UUID',
    review_id: 'UUID',
    trace_id: 'String',
    definition_id: 'UUID',
    definition_version: 'UInt64',
    kind: 'LowCardinality(String)',
    numeric_value: 'Nullable(Float64)',
    boolean_value: 'Nullable(Bool)',
    categorical_values: 'Array(String)',
    // By the rule of the definition's version; null: it has none.
    passed: 'Nullable(Bool)',
    created_at: time,
    is_deleted: 'Bool',
    version: 'UInt64',
  },
  partitionTime: null,
  tenantColumn: 'team_id',
});
