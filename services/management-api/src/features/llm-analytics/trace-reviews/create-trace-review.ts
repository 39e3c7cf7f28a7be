import { AppError } from '@millrace/http/errors/errors.ts';
import { reply } from '@millrace/http/replies/reply.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivity } from '../../../activity-log.ts';
import { projectRoute } from '../../../context.ts';
import { isUniqueViolation } from '../../../database/prisma-errors.ts';
import { clearQueue } from './clear-queue.ts';
import { raiseNoReview } from './find-trace-review.ts';
import { readReview } from './review-queries.ts';
import { readComment, readTraceId } from './review-fields.ts';
import { insertScores } from './scores/insert-scores.ts';
import { readScores } from './scores/read-scores.ts';
import { resolveScores } from './scores/resolve-scores.ts';
import { loggedReview, renderReview, TraceReview, TraceReviewBody } from './trace-review.ts';

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
  async handler({ auth: { project, caller }, context, body, request }) {
    const traceId = readTraceId(body.trace_id);
    const comment = readComment(body.comment);
    const scores = await resolveScores(context.prisma, project.id, readScores(body.scores ?? []));
    const now = new Date(context.clock.nowMs());
    const id = uuidV7(now.getTime());
    const { userId } = caller;
    const by = { createdById: userId, reviewedById: userId, createdAt: now, updatedAt: now };
    try {
      const made = await context.prisma.$transaction(async (prisma) => {
        await prisma.traceReview.create({ data: { ...by, id, projectId: project.id, traceId, comment } });
        await insertScores(prisma, { reviewId: id, userId, now }, scores);
        const after = (await readReview(prisma, project.id, id)) ?? raiseNoReview(id);
        await recordActivity(prisma, caller, {
          organizationId: project.organizationId,
          projectId: project.id,
          itemType: 'trace_review',
          itemId: id,
          activity: 'created',
          after: loggedReview(after),
        });
        await clearQueue(prisma, { projectId: project.id, traceId, queueId: body.queue_id ?? null, now });
        return after;
      });
      return reply(201, renderReview(made, context.baseUrl(request)));
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
