import type { DeclaredTable } from './declare-table.ts';
import { errorTrackingFingerprints } from './error-tracking-fingerprints.ts';
import { errorTrackingIssues } from './error-tracking-issues.ts';
import { scoreDefinitions } from './score-definitions.ts';
import { traceReviews } from './trace-reviews.ts';
import { traceScores } from './trace-scores.ts';

type MirroredColumns = Readonly<Record<'team_id' | 'id' | 'is_deleted' | 'version', string>>;

/** Tables that hold copies of rows of Postgres, which the management API writes; in Postgres their names are the same. */
export const mirroredTables = [
  traceReviews,
  traceScores,
  scoreDefinitions,
  errorTrackingIssues,
  errorTrackingFingerprints,
] as const satisfies readonly (DeclaredTable & {
  columns: MirroredColumns;
})[];
