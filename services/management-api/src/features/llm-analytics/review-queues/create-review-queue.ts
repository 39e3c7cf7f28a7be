import { reply } from '@millrace/http/replies/reply.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivity } from '../../../activity-log.ts';
import { projectRoute } from '../../../context.ts';
import { raiseNoQueue } from './find-review-queue.ts';
import { readQueue } from './queue-queries.ts';
import { refuseTakenName } from './refuse-taken-name.ts';
import { readQueueName, renderQueue, ReviewQueue, ReviewQueueBody } from './review-queue.ts';

export const createReviewQueue = projectRoute({
  operationId: 'create_review_queue',
  method: 'post',
  path: '/api/projects/:project_id/llm_analytics/review_queues',
  access: { scope: 'llm_analytics:write' },
  tag: 'LLM analytics',
  summary: 'Make a review queue',
  body: ReviewQueueBody,
  responses: { 201: ReviewQueue },
  async handler({ auth: { project, caller }, context: { prisma: client, clock }, body }) {
    const name = readQueueName(body.name);
    const now = new Date(clock.nowMs());
    const id = uuidV7(now.getTime());
    const by = { createdById: caller.userId, createdAt: now, updatedAt: now };
    const made = await refuseTakenName(() =>
      client.$transaction(async (prisma) => {
        await prisma.reviewQueue.create({ data: { ...by, id, projectId: project.id, name } });
        await recordActivity(prisma, caller, {
          organizationId: project.organizationId,
          projectId: project.id,
          itemType: 'review_queue',
          itemId: id,
          activity: 'created',
          after: { name },
        });
        return (await readQueue(prisma, project.id, id)) ?? raiseNoQueue(id);
      }),
    );
    return reply(201, renderQueue(made));
  },
});
