import { pageEnvelope, pageOf, readLongRows, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from '../../../context.ts';
import { rowsMax } from '../../../definitions/definition-queries.ts';
import { readItemQuery, ReviewQueueItemQuery } from './item-listing.ts';
import { countItems, itemPage } from './item-queries.ts';
import { renderItem, ReviewQueueItem } from './review-queue-item.ts';
import type { StoredItem } from './stored-item.ts';

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
    const [rows, [counted]] = await Promise.all([
      readLongRows(page, async (part) =>
        (await prisma.$queryRaw<StoredItem[]>(itemPage(project.id, listing, part))).map(renderItem),
      ),
      prisma.$queryRaw<{ count: number }[]>(countItems(project.id, listing)),
    ]);
    return pageEnvelope(new URL(baseUrl(request) + request.originalUrl), page, counted?.count ?? 0, rows);
  },
});
