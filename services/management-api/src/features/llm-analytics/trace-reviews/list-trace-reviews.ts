import { pageEnvelope, pageOf, readPage } from '@millrace/http/pagination.ts';
import { rowsMax } from '../../../definitions/definition-queries.ts';
import { projectRoute } from '../context.ts';
import { readIdPage } from '../../../lists/id-page.ts';
import { readReviewQuery, TraceReviewQuery } from './review-listing.ts';
import { readReviews, listedReviews } from './review-queries.ts';
import { renderReview, TraceReview } from './trace-review.ts';

export const listTraceReviews = projectRoute({
  operationId: 'list_trace_reviews',
  method: 'get',
  path: '/api/projects/:project_id/llm_analytics/trace_reviews',
  access: { scope: 'llm_analytics:read' },
  tag: 'LLM analytics',
  summary: 'List or search the reviews of traces with their scores',
  description: 'A page has at most 1000 rows.',
  query: TraceReviewQuery,
  responses: { 200: pageOf(TraceReview) },
  async handler({ auth: { project }, context: { prisma, runPrepared, baseUrl }, query, request }) {
    const page = readPage(query, rowsMax);
    const listing = readReviewQuery(query);
    const site = baseUrl(request);
    const { count, rows } = await readIdPage(prisma, listedReviews(project.id, listing), page, async (ids) =>
      (await readReviews(runPrepared, project.id, ids)).map((row) => renderReview(row, site)),
    );
    return pageEnvelope(new URL(site + request.originalUrl), page, count, rows);
  },
});
