import { Array as ArrayType, Boolean, Object as ObjectType, Optional, String as StringType, Unsafe } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { projectRoute } from '../../../context.ts';
import { readAssignee } from './assignees.ts';
import { changeIssues } from './change-issues.ts';
import { lockIssues } from './find-issue.ts';
import { AssigneeOrNull, issuesPath, IssueStatus } from './issue.ts';
import { idsMax } from './merge-issues.ts';

export const bulkChangeIssues = projectRoute({
  operationId: 'bulk_change_error_tracking_issues',
  method: 'post',
  path: `${issuesPath}/bulk`,
  access: { scope: 'error_tracking:write' },
  tag: 'Error tracking',
  summary: 'Change the status of several issues, or assign them',
  description: 'Ids that are no issues of this project are ignored.',
  attrsEndAtLists: true,
  body: ObjectType(
    {
      action: Unsafe<'set_status' | 'assign'>({
        type: 'string',
        enum: ['set_status', 'assign'],
        examples: ['assign'],
      }),
      ids: ArrayType(StringType({ format: 'uuid' }), {
        minItems: 1,
        maxItems: idsMax,
        examples: [['01980a3c-5f6e-7c1a-9b2d-3e4f5a6b7c8d']],
      }),
      status: Optional(IssueStatus),
      assignee: Optional(AssigneeOrNull),
    },
    { title: 'ErrorTrackingIssueBulk' },
  ),
  responses: { 200: ObjectType({ success: Boolean() }, { title: 'ErrorTrackingIssuesChanged' }) },
  async handler({ auth, context: { prisma: client, clock }, body: { action, ids, status, assignee } }) {
    await client.$transaction(async (prisma) => {
      const data =
        action === 'assign'
          ? await readAssignee(prisma, auth.project.organizationId, given(assignee, 'assignee'))
          : { status: given(status, 'status') };
      const issues = await lockIssues(prisma, auth.project.id, ids);
      await changeIssues(prisma, auth, issues, data, new Date(clock.nowMs()));
    });
    return { success: true };
  },
});

/** @throws {AppError} required */
function given<Value>(value: Value | undefined, attr: string): Value {
  if (value === undefined) throw new AppError('required', { attr });
  return value;
}
