import { pageEnvelope, pageOf, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from '../../../context.ts';
import { rowsMax } from '../../../definitions/definition-queries.ts';
import { readIdPage } from '../../../lists/id-page.ts';
import { readItemQuery, ReviewQueueItemQuery } from './item-listing.ts';
import { listedItems, readItems } from './item-queries.ts';
import { renderItem, ReviewQueueItem } from './review-queue-item.ts';

export const listReviewQueueItems = projectRoute({
  operationId: 'list_review_queue_items',
  method: 'get',
  path: '/api/projects/:project_id/llm_analytics/review_queue_items',
  access: { scope: 'llm_analytics:read' },
  tag: 'LLM analytics',
  summary: 'List or search the traces that wait in review queues',
  description: 'A page has at most 1000 rows.',
  query: ReviewQueueItemQuery,
  responses: { 200: pageOf(ReviewQueueItem) },
  async handler({ auth: { project }, context: { prisma, baseUrl }, query, request }) {
    const page = readPage(query, rowsMax);
    const listing = readItemQuery(query);
    const { count, rows } = await readIdPage(prisma, listedItems(project.id, listing), page, async (ids) =>
      (await readItems(prisma, project.id, ids)).map(renderItem),
    );
    return pageEnvelope(new URL(baseUrl(request) + request.originalUrl), page, count, rows);
  },
});
