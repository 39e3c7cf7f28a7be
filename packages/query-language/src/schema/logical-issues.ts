import { errorTrackingFingerprints } from '@millrace/contracts/tables/error-tracking-fingerprints.ts';
import { errorTrackingIssues } from '@millrace/contracts/tables/error-tracking-issues.ts';
import type { LogicalTable } from './logical-table.ts';
import { storedColumns } from './stored-columns.ts';

const versions = { keys: ['id'], version: 'version', deleted: 'is_deleted' };

/** Issues, and the fingerprints that lead to them today (contract/orgs-errors 8). Copies of what Postgres has (management-api, `mirror/`). */
export const issueTables: readonly LogicalTable[] = [
  {
    name: 'error_tracking_issues',
    comment: 'Issues of error tracking as they are today',
    physical: errorTrackingIssues.fullName,
    versions,
    fields: storedColumns(
      errorTrackingIssues,
      'id',
      'name',
      'description',
      'status',
      'severity',
      'assignee_user_id',
      'assignee_role_id',
      'first_seen',
      'created_at',
      'updated_at',
    ),
  },
  {
    name: 'error_tracking_fingerprints',
    comment: 'Fingerprints of exceptions, and the issue that each leads to today',
    physical: errorTrackingFingerprints.fullName,
    versions,
    fields: storedColumns(errorTrackingFingerprints, 'fingerprint', 'issue_id', 'first_seen'),
  },
];

/** Names that PostHog has for tables, with ours. */
export const otherTableNames: ReadonlyMap<string, string> = new Map([
  ['system.error_tracking_issues', 'error_tracking_issues'],
]);
