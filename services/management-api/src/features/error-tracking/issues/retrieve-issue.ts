import { Object as ObjectType, Optional, String as StringType } from 'typebox';
import { reply } from '@millrace/http/replies/reply.ts';
import { queryErrors } from '../../../queries/execute/engine-errors.ts';
import { projectRoute } from '../../../context.ts';
import { readerOf } from '../reader-of.ts';
import { IssueId, raiseNoIssue, readIssue } from './find-issue.ts';
import { IssueDetails, issuesPath, renderCounts, renderIssue } from './issue.ts';
import { countIssues } from './issue-counts.ts';
import { readFingerprints } from './issue-queries.ts';

const shownMax = 1_000;

export const retrieveIssue = projectRoute({
  operationId: 'retrieve_error_tracking_issue',
  method: 'get',
  path: `${issuesPath}/:issue_id`,
  params: { issue_id: IssueId },
  access: { scope: 'error_tracking:read' },
  tag: 'Error tracking',
  summary: 'Retrieve an issue with its fingerprints',
  description:
    'Counts are those of the last 14 days of UTC. With a `fingerprint` that leads to another issue the answer is 308, with the `issue_id` of that one.',
  query: ObjectType({
    fingerprint: Optional(
      StringType({ description: 'A fingerprint that the issue had when it was linked to.', examples: ['a1b2'] }),
    ),
  }),
  responses: { 200: IssueDetails, 308: ObjectType({ issue_id: StringType({ format: 'uuid' }) }) },
  errors: queryErrors,
  async handler({ params: { issue_id: given }, auth, context, query: { fingerprint }, signal }) {
    const { prisma } = context;
    const projectId = auth.project.id;
    const id = given.toLowerCase();
    const named = fingerprint
      ? await prisma.errorTrackingFingerprint.findFirst({ where: { projectId, fingerprint } })
      : null;
    if (named !== null && named.issueId !== id) return reply(308, { issue_id: named.issueId });
    const issue = (await readIssue(prisma, projectId, id)) ?? raiseNoIssue(given);
    const fingerprints = await prisma.errorTrackingFingerprint.findMany({
      where: { projectId, issueId: id },
      orderBy: [{ firstSeenAt: 'asc' }, { fingerprint: 'asc' }],
      take: shownMax,
    });
    const countsOf = await countIssues(
      context,
      await readFingerprints(prisma, projectId, [id]),
      readerOf(auth, signal),
    );
    return {
      ...renderIssue(issue),
      ...renderCounts(countsOf(id)),
      fingerprints: fingerprints.map((one) => ({
        fingerprint: one.fingerprint,
        name: one.name,
        first_seen: one.firstSeenAt.toISOString(),
      })),
    };
  },
});
