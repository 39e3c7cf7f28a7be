import { AppError } from '@millrace/http/errors/errors.ts';
import { reply } from '@millrace/http/replies/reply.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { isUniqueViolation } from '../../../database/prisma-errors.ts';
import { projectRoute } from '../context.ts';
import { readTraceId } from '../fields/trace-id.ts';
import { raiseNoReview } from './find-trace-review.ts';
import { insertReview } from './insert-review.ts';
import { readComment } from './review-fields.ts';
import { readScores } from './scores/read-scores.ts';
import { resolveScores } from './scores/resolve-scores.ts';
import type { StoredReview } from './stored-review.ts';
import { renderReview, TraceReview, TraceReviewBody } from './trace-review.ts';

export const createTraceReview = projectRoute({
  operationId: 'create_trace_review',
  method: 'post',
  path: '/api/projects/:project_id/llm_analytics/trace_reviews',
  access: { scope: 'llm_analytics:write' },
  tag: 'LLM analytics',
  summary: 'Review a trace and score it; it leaves the queue that it waits in',
  description: 'A trace has one review at a time.',
  body: TraceReviewBody,
  attrsEndAtLists: true,
  responses: { 201: TraceReview },
  async handler({ auth, context, body, request }) {
    const traceId = readTraceId(body.trace_id);
    const comment = readComment(body.comment);
    const scores = await resolveScores(context.runPrepared, auth.project.id, readScores(body.scores ?? []));
    const now = new Date(context.clock.nowMs());
    const id = uuidV7(now.getTime());
    const review = { id, traceId, comment, scores, queueId: body.queue_id ?? null, now };
    try {
      const [made] = await context.runPrepared<StoredReview>('insert-trace-review', insertReview(auth, review));
      return reply(201, renderReview(made ?? raiseNoReview(id), context.baseUrl(request)));
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      throw new AppError('invalid_input', {
        attr: 'trace_id',
        detail: 'An active review already exists for this trace.',
        cause: error,
      });
    }
  },
});
