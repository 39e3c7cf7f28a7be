import { declareTable, time } from './declare-table.ts';

/** The issue of each fingerprint, as Postgres has it; of several rows with one id that of the highest version counts. */
export const errorTrackingFingerprints = declareTable('error_tracking_fingerprints', {
  columns: {
    team_id: 'Int64',
    id: 'UUID',
    fingerprint: 'String',
    issue_id: 'UUID',
    first_seen: time,
    is_deleted: 'Bool',
    version: 'UInt64',
  },
  partitionTime: null,
  tenantColumn: 'team_id',
});
