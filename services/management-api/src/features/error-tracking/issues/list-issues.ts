import { pageEnvelope, pageOf, readPage } from '@millrace/http/pagination.ts';
import { queryErrors } from '../../../queries/execute/engine-errors.ts';
import { projectRoute } from '../../../context.ts';
import { readIdPage } from '../../../lists/id-page.ts';
import { readerOf } from '../reader-of.ts';
import { CountedIssue, issuesPath, renderCounts, renderIssue } from './issue.ts';
import { countIssues } from './issue-counts.ts';
import { IssueQuery, readIssueQuery } from './issue-listing.ts';
import { listedIssues, readFingerprints } from './issue-queries.ts';

const rowsMax = 100;

export const listIssues = projectRoute({
  operationId: 'list_error_tracking_issues',
  method: 'get',
  path: issuesPath,
  access: { scope: 'error_tracking:read' },
  tag: 'Error tracking',
  summary: 'List or search the issues of a project',
  description:
    'A page has at most 100 rows. Counts are those of the last 14 days of UTC, today included, of the fingerprints that lead to the issue today; of those of a page the latest 2,500.',
  query: IssueQuery,
  responses: { 200: pageOf(CountedIssue) },
  errors: queryErrors,
  async handler({ auth, context, query, request, signal }) {
    const { prisma, baseUrl } = context;
    const projectId = auth.project.id;
    const page = readPage(query, rowsMax);
    const { count, rows } = await readIdPage(
      prisma,
      listedIssues(projectId, readIssueQuery(query)),
      page,
      async (ids) => {
        const fingerprints = await readFingerprints(prisma, projectId, ids);
        // ClickHouse takes longest, so it is asked first. Postgres counts the issues of all pages meanwhile.
        const [countsOf, found] = await Promise.all([
          countIssues(context, fingerprints, readerOf(auth, signal)),
          prisma.errorTrackingIssue.findMany({ where: { id: { in: [...ids] }, projectId } }),
        ]);
        return found.map((row) => ({ ...renderIssue(row), ...renderCounts(countsOf(row.id)) }));
      },
    );
    return pageEnvelope(new URL(baseUrl(request) + request.originalUrl), page, count, rows);
  },
});
