import { AppError } from '@millrace/http/errors/errors.ts';
import { reply } from '@millrace/http/replies/reply.ts';
import { projectRoute } from '../../../context.ts';
import { addItems } from './add-items.ts';
import { readNewItem, renderItem, ReviewQueueItem, ReviewQueueItemBody } from './review-queue-item.ts';

export const createReviewQueueItem = projectRoute({
  operationId: 'create_review_queue_item',
  method: 'post',
  path: '/api/projects/:project_id/llm_analytics/review_queue_items',
  access: { scope: 'llm_analytics:write' },
  tag: 'LLM analytics',
  summary: 'Put a trace into a review queue',
  description: 'A trace waits in one queue of a project at most, and not while it has a review.',
  body: ReviewQueueItemBody,
  responses: { 201: ReviewQueueItem },
  async handler({ auth, context, body }) {
    const [outcome] = await addItems(context, auth, [readNewItem(body)]);
    if (outcome === undefined || outcome instanceof AppError) throw outcome ?? new Error('one item has one outcome');
    return reply(201, renderItem(outcome));
  },
});
