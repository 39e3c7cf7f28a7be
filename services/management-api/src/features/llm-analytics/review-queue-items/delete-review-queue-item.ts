import { reply } from '@millrace/http/replies/reply.ts';
import { recordActivity } from '../../../activity-log.ts';
import { projectRoute } from '../../../context.ts';
import { findReviewQueueItem, ItemId, raiseNoItem } from './find-review-queue-item.ts';
import { lockItem } from './item-queries.ts';
import { loggedItem } from './review-queue-item.ts';

export const deleteReviewQueueItem = projectRoute({
  operationId: 'delete_review_queue_item',
  method: 'delete',
  path: '/api/projects/:project_id/llm_analytics/review_queue_items/:item_id',
  params: { item_id: ItemId },
  access: { scope: 'llm_analytics:write' },
  tag: 'LLM analytics',
  summary: 'Take a trace out of its review queue',
  description: 'It may be queued again.',
  responses: { 204: null },
  find: findReviewQueueItem,
  async handler({ params: { item_id: id }, auth: { project, caller }, context: { prisma: client, clock } }) {
    const now = new Date(clock.nowMs());
    await client.$transaction(async (prisma) => {
      const before = (await lockItem(prisma, project.id, id)) ?? raiseNoItem(id);
      await prisma.reviewQueueItem.updateMany({
        where: { id, projectId: project.id },
        data: { deletedAt: now, updatedAt: now },
      });
      await recordActivity(prisma, caller, {
        organizationId: project.organizationId,
        projectId: project.id,
        itemType: 'review_queue_item',
        itemId: before.id,
        activity: 'deleted',
        before: loggedItem(before),
      });
    });
    return reply(204, undefined);
  },
});
