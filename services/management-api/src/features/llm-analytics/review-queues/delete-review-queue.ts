import { reply } from '@millrace/http/replies/reply.ts';
import { recordActivity } from '../../../activity-log.ts';
import { projectRoute } from '../../../context.ts';
import { findReviewQueue, QueueId, raiseNoQueue } from './find-review-queue.ts';
import { lockQueue } from './queue-queries.ts';

export const deleteReviewQueue = projectRoute({
  operationId: 'delete_review_queue',
  method: 'delete',
  path: '/api/projects/:project_id/llm_analytics/review_queues/:queue_id',
  params: { queue_id: QueueId },
  access: { scope: 'llm_analytics:write' },
  tag: 'LLM analytics',
  summary: 'Delete a review queue with all items in it',
  description: 'Its traces may be put into other queues afterwards.',
  responses: { 204: null },
  find: findReviewQueue,
  async handler({ params: { queue_id: id }, auth: { project, caller }, context: { prisma: client, clock } }) {
    const now = new Date(clock.nowMs());
    await client.$transaction(async (prisma) => {
      // Locked first: nobody puts an item into it between the two statements.
      const before = (await lockQueue(prisma, project.id, id)) ?? raiseNoQueue(id);
      const where = { projectId: project.id, deletedAt: null };
      const data = { deletedAt: now, updatedAt: now };
      await prisma.reviewQueue.updateMany({ where: { ...where, id }, data });
      const { count } = await prisma.reviewQueueItem.updateMany({ where: { ...where, queueId: id }, data });
      await recordActivity(prisma, caller, {
        organizationId: project.organizationId,
        projectId: project.id,
        itemType: 'review_queue',
        itemId: before.id,
        activity: 'deleted',
        before: { name: before.name, pending_item_count: count },
      });
    });
    return reply(204, undefined);
  },
});
