import { projectRoute } from '../../../context.ts';
import { changeIssues } from './change-issues.ts';
import { findIssue, IssueId, lockIssue, raiseNoIssue } from './find-issue.ts';
import { Issue, IssueChange, issuesPath, renderIssue } from './issue.ts';

export const updateIssue = projectRoute({
  operationId: 'update_error_tracking_issue',
  method: 'patch',
  path: `${issuesPath}/:issue_id`,
  params: { issue_id: IssueId },
  access: { scope: 'error_tracking:write' },
  tag: 'Error tracking',
  summary: 'Change status, severity, name or description of an issue',
  description: 'What is left out stays. A status acts on events within 5 seconds.',
  body: IssueChange,
  responses: { 200: Issue },
  find: findIssue,
  async handler({ params: { issue_id: id }, auth, context: { prisma: client, clock }, body }) {
    const { status, severity, name, description } = body;
    const data = {
      ...(status !== undefined && { status }),
      ...(severity !== undefined && { severity }),
      ...(name !== undefined && { name }),
      ...(description !== undefined && { description }),
    };
    return await client.$transaction(async (prisma) => {
      const before = await lockIssue(prisma, auth.project.id, id);
      const [after] = await changeIssues(prisma, auth, [before], data, new Date(clock.nowMs()));
      return renderIssue(after ?? raiseNoIssue(id));
    });
  },
});
