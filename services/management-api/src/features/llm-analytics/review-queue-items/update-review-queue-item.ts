import { AppError } from '@millrace/http/errors/errors.ts';
import { recordActivity } from '../../../activity-log.ts';
import { projectRoute } from '../../../context.ts';
import { unknownQueue } from './decide-items.ts';
import { findReviewQueueItem, ItemId, raiseNoItem } from './find-review-queue-item.ts';
import { lockItem, lockQueues, readItem, readReviewed } from './item-queries.ts';
import { loggedItem, renderItem, ReviewQueueItem, ReviewQueueItemChange } from './review-queue-item.ts';

export const updateReviewQueueItem = projectRoute({
  operationId: 'update_review_queue_item',
  method: 'patch',
  path: '/api/projects/:project_id/llm_analytics/review_queue_items/:item_id',
  params: { item_id: ItemId },
  access: { scope: 'llm_analytics:write' },
  tag: 'LLM analytics',
  summary: 'Move a trace to another review queue',
  description: 'Its place there is that of its age. A claim ends. Moved to the queue where it is, it stays as it is.',
  body: ReviewQueueItemChange,
  responses: { 200: ReviewQueueItem },
  find: findReviewQueueItem,
  async handler({ params: { item_id: id }, auth: { project, caller }, context: { prisma: client, clock }, body }) {
    const queueId = body.queue_id.toLowerCase();
    const now = new Date(clock.nowMs());
    const moved = await client.$transaction(async (prisma) => {
      const queues = await lockQueues(prisma, project.id, [queueId]);
      const before = (await lockItem(prisma, project.id, id)) ?? raiseNoItem(id);
      if (queues.length === 0) throw unknownQueue();
      if (before.queueId === queueId) return before;
      // A review that comes later waits for the item and takes it out.
      if ((await readReviewed(prisma, project.id, [before.traceId])).length > 0)
        throw new AppError('invalid_input', {
          attr: 'trace_id',
          detail: 'This trace is already reviewed and cannot stay queued.',
        });
      await prisma.reviewQueueItem.updateMany({
        where: { id, projectId: project.id },
        data: { queueId, updatedAt: now, claimedById: null, claimedUntil: null },
      });
      const after = (await readItem(prisma, project.id, id)) ?? raiseNoItem(id);
      await recordActivity(prisma, caller, {
        organizationId: project.organizationId,
        projectId: project.id,
        itemType: 'review_queue_item',
        itemId: after.id,
        activity: 'updated',
        before: loggedItem(before),
        after: loggedItem(after),
      });
      return after;
    });
    return renderItem(moved);
  },
});
