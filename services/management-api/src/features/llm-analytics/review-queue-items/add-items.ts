import type { AppError } from '@millrace/http/errors/errors.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivities } from '../../../activity-log.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import type { Context } from '../../../context.ts';
import { lockProject } from '../../../database/lock-project.ts';
import { decideItems } from './decide-items.ts';
import { lockQueues, readItems, readReviewed } from './item-queries.ts';
import { loggedItem, type NewItem } from './review-queue-item.ts';
import type { StoredItem } from './stored-item.ts';

/**
 * Adds the items that fit, in one transaction, and returns for each what it became or why it was refused. Their order in the queue is
 * that of the list. The lock of the project, for which all reviewers wait, is held until the end: give it 100 items at most.
 */
export async function addItems(
  { prisma: client, clock }: Pick<Context, 'prisma' | 'clock'>,
  { caller, project }: ProjectAccess,
  items: readonly NewItem[],
): Promise<(StoredItem | AppError)[]> {
  const now = new Date(clock.nowMs());
  const traceIds = items.map(({ traceId }) => traceId);
  return await client.$transaction(async (prisma) => {
    const queues = await lockQueues(prisma, project.id, [...new Set(items.map(({ queueId }) => queueId))]);
    // A review that clears its trace out of a queue does the same, so either one sees the other (trace-reviews/clear-queue.ts).
    await lockProject(prisma, project.id);
    const reviewed = await readReviewed(prisma, project.id, traceIds);
    const pending = await prisma.reviewQueueItem.findMany({
      where: { projectId: project.id, traceId: { in: traceIds }, deletedAt: null },
      select: { traceId: true, queueId: true },
    });
    const refusals = decideItems(items, { queues, reviewed, pending });
    const ids = items.map(() => uuidV7(now.getTime())).sort();
    const added = items.flatMap((item, at) => (refusals[at] === null ? [{ ...item, id: ids[at] ?? '' }] : []));
    const by = { projectId: project.id, createdById: caller.userId, createdAt: now, updatedAt: now };
    await prisma.reviewQueueItem.createMany({ data: added.map((item) => ({ ...item, ...by })) });
    const log = {
      organizationId: project.organizationId,
      projectId: project.id,
      itemType: 'review_queue_item',
    } as const;
    await recordActivities(
      prisma,
      caller,
      added.map((item) => ({ ...log, itemId: item.id, activity: 'created', after: loggedItem(item) })),
    );
    const stored = new Map((await readItems(prisma, project.id, ids)).map((item) => [item.id, item]));
    return ids.map((id, at) => refusals[at] ?? (stored.get(id) as StoredItem));
  });
}
