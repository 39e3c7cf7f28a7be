import { pageEnvelope, pageOf, readLongRows, readPage } from '@millrace/http/pagination.ts';
import { projectRoute } from '../../../context.ts';
import { rowsMax } from '../../../definitions/definition-queries.ts';
import { readQueueQuery, ReviewQueueQuery } from './queue-listing.ts';
import { countQueues, queuePage } from './queue-queries.ts';
import { renderQueue, ReviewQueue } from './review-queue.ts';
import type { StoredQueue } from './stored-queue.ts';

export const listReviewQueues = projectRoute({
  operationId: 'list_review_queues',
  method: 'get',
  path: '/api/projects/:project_id/llm_analytics/review_queues',
  access: { scope: 'llm_analytics:read' },
  tag: 'LLM analytics',
  summary: 'List or search the review queues of a project',
  description: 'A page has at most 1000 rows.',
  query: ReviewQueueQuery,
  responses: { 200: pageOf(ReviewQueue) },
  async handler({ auth: { project }, context: { prisma, baseUrl }, query, request }) {
    const page = readPage(query, rowsMax);
    const listing = readQueueQuery(query);
    const [rows, [counted]] = await Promise.all([
      readLongRows(page, async (part) =>
        (await prisma.$queryRaw<StoredQueue[]>(queuePage(project.id, listing, part))).map(renderQueue),
      ),
      prisma.$queryRaw<{ count: number }[]>(countQueues(project.id, listing)),
    ]);
    return pageEnvelope(new URL(baseUrl(request) + request.originalUrl), page, counted?.count ?? 0, rows);
  },
});
