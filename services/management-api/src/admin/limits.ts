import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { recordActivity, type Activity } from '../activity-log.ts';

/** Limits of one project, or of all. */
export function onlyOf(projectId: number | undefined): { projectId?: number } {
  return projectId === undefined ? {} : { projectId };
}

type LimitActivity = Omit<Activity, 'organizationId' | 'projectId'>;

/** Writes down what the command line does to a project's quotas and restrictions. */
export async function recordLimit(
  transaction: Prisma.TransactionClient,
  project: { id: number; organizationId: string },
  activity: LimitActivity,
): Promise<void> {
  await recordActivity(transaction, 'command line', {
    organizationId: project.organizationId,
    projectId: project.id,
    ...activity,
  });
}
