import { Prisma } from '@millrace/postgres/generated/client.ts';
import { lockProject } from '../../../database/lock-project.ts';

interface Reviewed {
  projectId: number;
  traceId: string;
  /** Null: whichever queue the trace waits in. */
  queueId: string | null;
  now: Date;
}

/**
 * Takes a trace that is reviewed out of the queue that it waits in. It must be the last statement of a transaction that has written the
 * review: who adds an item locks the project first and then looks for reviews, so either one sees the other. The lock is held for this
 * statement and the commit only, because all reviewers of a project wait for it.
 */
export async function clearQueue(
  prisma: Prisma.TransactionClient,
  { projectId, traceId, queueId, now }: Reviewed,
): Promise<void> {
  const inQueue = queueId === null ? Prisma.empty : Prisma.sql`AND queue_id = ${queueId}::uuid`;
  await lockProject(prisma, projectId);
  await prisma.$executeRaw`
    UPDATE review_queue_items SET deleted_at = ${now}, updated_at = ${now}
    WHERE project_id = ${projectId} AND trace_id = ${traceId} AND deleted_at IS NULL ${inQueue}`;
}
