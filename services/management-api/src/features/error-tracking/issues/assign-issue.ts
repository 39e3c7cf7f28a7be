import { Object as ObjectType } from 'typebox';
import { projectRoute } from '../../../context.ts';
import { readAssignee } from './assignees.ts';
import { changeIssues } from './change-issues.ts';
import { findIssue, IssueId, lockIssue, raiseNoIssue } from './find-issue.ts';
import { AssigneeOrNull, Issue, issuesPath, renderIssue } from './issue.ts';

export const assignIssue = projectRoute({
  operationId: 'assign_error_tracking_issue',
  method: 'patch',
  path: `${issuesPath}/:issue_id/assign`,
  params: { issue_id: IssueId },
  access: { scope: 'error_tracking:write' },
  tag: 'Error tracking',
  summary: 'Make a user or a role responsible for an issue, or nobody',
  body: ObjectType({ assignee: AssigneeOrNull }, { title: 'ErrorTrackingIssueAssign' }),
  responses: { 200: Issue },
  find: findIssue,
  async handler({ params: { issue_id: id }, auth, context: { prisma: client, clock }, body: { assignee } }) {
    return await client.$transaction(async (prisma) => {
      const columns = await readAssignee(prisma, auth.project.organizationId, assignee);
      const before = await lockIssue(prisma, auth.project.id, id);
      const [after] = await changeIssues(prisma, auth, [before], columns, new Date(clock.nowMs()));
      return renderIssue(after ?? raiseNoIssue(id));
    });
  },
});
