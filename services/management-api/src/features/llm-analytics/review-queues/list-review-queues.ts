import { pageEnvelope, pageOf, readPage } from '@millrace/http/pagination.ts';
import { rowsMax } from '../../../definitions/definition-queries.ts';
import { readIdPage } from '../../../lists/id-page.ts';
import { projectRoute } from '../context.ts';
import { readQueueQuery, ReviewQueueQuery } from './queue-listing.ts';
import { listedQueues, readQueues } from './queue-queries.ts';
import { renderQueue, ReviewQueue } from './review-queue.ts';

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
  async handler({ auth: { project }, context: { prisma, runPrepared, baseUrl }, query, request }) {
    const page = readPage(query, rowsMax);
    const listing = readQueueQuery(query);
    const { count, rows } = await readIdPage(prisma, listedQueues(project.id, listing), page, async (ids) =>
      (await readQueues(runPrepared, project.id, ids)).map(renderQueue),
    );
    return pageEnvelope(new URL(baseUrl(request) + request.originalUrl), page, count, rows);
  },
});
