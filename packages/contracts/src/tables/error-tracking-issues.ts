import { declareTable, time } from './declare-table.ts';

/** Issues of error tracking, as Postgres has them; of several rows with one id that of the highest version counts (contract/orgs-errors 8). */
export const errorTrackingIssues = declareTable('error_tracking_issues', {
  columns: {
    team_id: 'Int64',
    id: 'UUID',
    // Empty: none.
    name: 'String',
    description: 'String',
    status: 'LowCardinality(String)',
    // Empty: none.
    severity: 'LowCardinality(String)',
    assignee_user_id: 'Nullable(UInt64)',
    assignee_role_id: 'Nullable(String)',
    first_seen: time,
    created_at: time,
    updated_at: time,
    is_deleted: 'Bool',
    version: 'UInt64',
  },
  partitionTime: null,
  tenantColumn: 'team_id',
});
