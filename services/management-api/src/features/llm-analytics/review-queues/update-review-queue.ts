import { recordActivity } from '../../../activity-log.ts';
import { projectRoute } from '../../../context.ts';
import { findReviewQueue, QueueId, raiseNoQueue } from './find-review-queue.ts';
import { lockQueue, readQueue } from './queue-queries.ts';
import { refuseTakenName } from './refuse-taken-name.ts';
import { readQueueName, renderQueue, ReviewQueue, ReviewQueueChange } from './review-queue.ts';

export const updateReviewQueue = projectRoute({
  operationId: 'update_review_queue',
  method: 'patch',
  path: '/api/projects/:project_id/llm_analytics/review_queues/:queue_id',
  params: { queue_id: QueueId },
  access: { scope: 'llm_analytics:write' },
  tag: 'LLM analytics',
  summary: 'Rename a review queue',
  description: 'Without `name` it keeps its name; `updated_at` moves all the same.',
  body: ReviewQueueChange,
  responses: { 200: ReviewQueue },
  find: findReviewQueue,
  async handler({ params: { queue_id: id }, auth: { project, caller }, context: { prisma: client, clock }, body }) {
    const name = body.name === undefined ? undefined : readQueueName(body.name);
    const now = new Date(clock.nowMs());
    const changed = await refuseTakenName(() =>
      client.$transaction(async (prisma) => {
        const before = (await lockQueue(prisma, project.id, id)) ?? raiseNoQueue(id);
        await prisma.reviewQueue.updateMany({
          where: { id, projectId: project.id },
          data: { ...(name !== undefined && { name }), updatedAt: now },
        });
        const after = (await readQueue(prisma, project.id, id)) ?? raiseNoQueue(id);
        await recordActivity(prisma, caller, {
          organizationId: project.organizationId,
          projectId: project.id,
          itemType: 'review_queue',
          itemId: after.id,
          activity: 'updated',
          before: { name: before.name },
          after: { name: after.name },
        });
        return after;
      }),
    );
    return renderQueue(changed);
  },
});
