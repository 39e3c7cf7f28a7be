import type { ErrorTrackingIssue, Prisma } from '@millrace/postgres/generated/client.ts';
import { recordActivities } from '../../../activity-log.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import { loggedIssue } from './issue.ts';

type Access = Pick<ProjectAccess, 'project' | 'caller'>;
type Data = Pick<
  Prisma.ErrorTrackingIssueUncheckedUpdateManyInput,
  'status' | 'severity' | 'name' | 'description' | 'assigneeUserId' | 'assigneeRoleId' | 'firstSeenAt'
>;

/** Changes locked issues in a transaction, and writes down what changed. Returns them as they are now. */
export async function changeIssues(
  prisma: Prisma.TransactionClient,
  { project, caller }: Access,
  before: readonly ErrorTrackingIssue[],
  data: Data,
  now: Date,
): Promise<ErrorTrackingIssue[]> {
  const where = { id: { in: before.map(({ id }) => id) }, projectId: project.id };
  // Exceptions that were received before this moment make no issue active again.
  const resolvedAt = data.status === undefined ? {} : { resolvedAt: data.status === 'resolved' ? now : null };
  await prisma.errorTrackingIssue.updateMany({ where, data: { ...data, ...resolvedAt, updatedAt: now } });
  const after = await prisma.errorTrackingIssue.findMany({ where, orderBy: { id: 'asc' } });
  const was = new Map(before.map((issue) => [issue.id, issue]));
  await recordActivities(
    prisma,
    caller,
    after.map((issue) => ({
      organizationId: project.organizationId,
      projectId: project.id,
      itemType: 'issue',
      itemId: issue.id,
      activity: 'updated',
      before: loggedIssue(was.get(issue.id) ?? issue),
      after: loggedIssue(issue),
    })),
  );
  return after;
}
