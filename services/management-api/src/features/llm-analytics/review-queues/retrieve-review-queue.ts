import { projectRoute } from '../../../context.ts';
import { findReviewQueue, QueueId } from './find-review-queue.ts';
import { renderQueue, ReviewQueue } from './review-queue.ts';

export const retrieveReviewQueue = projectRoute({
  operationId: 'retrieve_review_queue',
  method: 'get',
  path: '/api/projects/:project_id/llm_analytics/review_queues/:queue_id',
  params: { queue_id: QueueId },
  access: { scope: 'llm_analytics:read' },
  tag: 'LLM analytics',
  summary: 'Show a review queue',
  responses: { 200: ReviewQueue },
  find: findReviewQueue,
  handler: ({ found }) => renderQueue(found),
});
