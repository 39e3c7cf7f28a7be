import { AppError } from '@millrace/http/errors/errors.ts';
import { reply } from '@millrace/http/replies/reply.ts';
import { projectRoute } from '../../../context.ts';
import { releaseClaim } from './claim-queries.ts';
import { findReviewQueueItem, ItemId } from './find-review-queue-item.ts';

export const releaseReviewQueueItem = projectRoute({
  operationId: 'release_review_queue_item',
  method: 'post',
  path: '/api/projects/:project_id/llm_analytics/review_queue_items/:item_id/release',
  params: { item_id: ItemId },
  access: { scope: 'llm_analytics:write' },
  tag: 'LLM analytics',
  summary: 'Give a trace that you have claimed back to its queue',
  description: 'The next claim may get it at once. While somebody else has it, it is a 409.',
  responses: { 204: null },
  errors: ['conflict'],
  find: findReviewQueueItem,
  async handler({ auth: { caller }, context: { prisma }, found }) {
    if (!(await releaseClaim(prisma, found.id, caller.userId)))
      throw new AppError('conflict', { detail: 'Somebody else has claimed this item.' });
    return reply(204, undefined);
  },
});
