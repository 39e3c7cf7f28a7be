import { projectRoute } from '../../../context.ts';
import { findReviewQueueItem, ItemId } from './find-review-queue-item.ts';
import { renderItem, ReviewQueueItem } from './review-queue-item.ts';

export const retrieveReviewQueueItem = projectRoute({
  operationId: 'retrieve_review_queue_item',
  method: 'get',
  path: '/api/projects/:project_id/llm_analytics/review_queue_items/:item_id',
  params: { item_id: ItemId },
  access: { scope: 'llm_analytics:read' },
  tag: 'LLM analytics',
  summary: 'Show an item of a review queue',
  responses: { 200: ReviewQueueItem },
  find: findReviewQueueItem,
  handler: ({ found }) => renderItem(found),
});
