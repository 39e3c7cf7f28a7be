import { projectRoute } from '../../../context.ts';
import { findTraceReview, ReviewId } from './find-trace-review.ts';
import { renderReview, TraceReview } from './trace-review.ts';

export const retrieveTraceReview = projectRoute({
  operationId: 'retrieve_trace_review',
  method: 'get',
  path: '/api/projects/:project_id/llm_analytics/trace_reviews/:review_id',
  params: { review_id: ReviewId },
  access: { scope: 'llm_analytics:read' },
  tag: 'LLM analytics',
  summary: 'Show a review of a trace with its scores',
  responses: { 200: TraceReview },
  find: findTraceReview,
  handler: ({ found, context, request }) => renderReview(found, context.baseUrl(request)),
});
