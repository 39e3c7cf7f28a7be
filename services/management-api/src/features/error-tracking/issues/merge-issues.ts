import { Array as ArrayType, Boolean, Integer, Object as ObjectType, String as StringType } from 'typebox';
import { recordActivities } from '../../../activity-log.ts';
import { projectRoute } from '../../../context.ts';
import { changeIssues } from './change-issues.ts';
import { findIssue, IssueId, lockIssues, raiseNoIssue } from './find-issue.ts';
import { issuesPath, loggedIssue } from './issue.ts';

export const idsMax = 100;

/** 20,000 fingerprints take 1 to 4 s; Prisma's own limit of 5 s would end a call that can never succeed. */
const transactionOptions = { timeout: 60_000 };

export const mergeIssues = projectRoute({
  operationId: 'merge_error_tracking_issues',
  method: 'post',
  path: `${issuesPath}/:issue_id/merge`,
  params: { issue_id: IssueId },
  access: { scope: 'error_tracking:write' },
  tag: 'Error tracking',
  summary: 'Merge issues into another',
  description:
    'Their fingerprints lead to the other, with all events, and they are gone. Status, names and assignee of the other stay. Ids that are no issues of this project are ignored.',
  attrsEndAtLists: true,
  body: ObjectType(
    {
      ids: ArrayType(StringType({ format: 'uuid' }), {
        minItems: 1,
        maxItems: idsMax,
        description: 'The issues that are merged into the one of the path.',
        examples: [['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d']],
      }),
    },
    { title: 'ErrorTrackingIssueMerge' },
  ),
  responses: { 200: ObjectType({ success: Boolean(), merged: Integer() }, { title: 'ErrorTrackingIssueMerged' }) },
  find: findIssue,
  async handler({ params: { issue_id: given }, auth, context: { prisma: client, clock }, body: { ids } }) {
    const { project, caller } = auth;
    const targetId = given.toLowerCase();
    const merged = await client.$transaction(async (prisma) => {
      const locked = await lockIssues(prisma, project.id, [targetId, ...ids]);
      const target = locked.find(({ id }) => id === targetId) ?? raiseNoIssue(given);
      const others = locked.filter(({ id }) => id !== targetId);
      if (others.length === 0) return 0;
      const otherIds = others.map(({ id }) => id);
      await prisma.errorTrackingFingerprint.updateMany({
        where: { projectId: project.id, issueId: { in: otherIds } },
        data: { issueId: targetId },
      });
      await prisma.errorTrackingIssue.deleteMany({ where: { projectId: project.id, id: { in: otherIds } } });
      const firstSeenAt = new Date(Math.min(...locked.map((issue) => issue.firstSeenAt.getTime())));
      await changeIssues(prisma, auth, [target], { firstSeenAt }, new Date(clock.nowMs()));
      await recordActivities(
        prisma,
        caller,
        others.map((issue) => ({
          organizationId: project.organizationId,
          projectId: project.id,
          itemType: 'issue',
          itemId: issue.id,
          activity: 'deleted',
          before: { ...loggedIssue(issue), merged_into: targetId },
        })),
      );
      return others.length;
    }, transactionOptions);
    return { success: true, merged };
  },
});
