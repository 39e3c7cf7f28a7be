import type { Route } from '@millrace/http/define-route.ts';
import type { Context } from '../../../context.ts';
import { assignIssue } from './assign-issue.ts';
import { bulkChangeIssues } from './bulk-change-issues.ts';
import { listIssues } from './list-issues.ts';
import { mergeIssues } from './merge-issues.ts';
import { queryIssue } from './query/query-issue.ts';
import { queryIssueEvents } from './query/query-issue-events.ts';
import { queryIssues } from './query/query-issues.ts';
import { retrieveIssue } from './retrieve-issue.ts';
import { splitIssue } from './split-issue.ts';
import { updateIssue } from './update-issue.ts';

/** In the order of the reference; fixed names precede the parameter that would match them. */
export const issueRoutes: readonly Route<Context>[] = [
  listIssues,
  bulkChangeIssues,
  retrieveIssue,
  updateIssue,
  assignIssue,
  mergeIssues,
  splitIssue,

  queryIssues,
  queryIssue,
  queryIssueEvents,
];
