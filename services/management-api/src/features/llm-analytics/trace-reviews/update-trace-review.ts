import { AppError } from '@millrace/http/errors/errors.ts';
import { recordActivity } from '../../../activity-log.ts';
import { projectRoute } from '../context.ts';
import { readTraceId } from '../fields/trace-id.ts';
import { clearQueue } from './clear-queue.ts';
import { findTraceReview, raiseNoReview, ReviewId } from './find-trace-review.ts';
import { readComment } from './review-fields.ts';
import { lockReview, readReview } from './review-queries.ts';
import { insertScores } from './scores/insert-scores.ts';
import { readScores } from './scores/read-scores.ts';
import { resolveScores } from './scores/resolve-scores.ts';
import { loggedReview, renderReview, TraceReview, TraceReviewChange } from './trace-review.ts';

export const updateTraceReview = projectRoute({
  operationId: 'update_trace_review',
  method: 'patch',
  path: '/api/projects/:project_id/llm_analytics/trace_reviews/:review_id',
  params: { review_id: ReviewId },
  access: { scope: 'llm_analytics:write' },
  tag: 'LLM analytics',
  summary: 'Change the comment or the scores of a review; its trace leaves the queue that it waits in',
  description: '`scores` are all scores: those that the review had are replaced. Without `scores` they stay.',
  body: TraceReviewChange,
  attrsEndAtLists: true,
  responses: { 200: TraceReview },
  find: findTraceReview,
  async handler({ params: { review_id: id }, auth: { project, caller }, context, body, found, request }) {
    if (body.trace_id !== undefined && readTraceId(body.trace_id) !== found.traceId)
      throw new AppError('invalid_input', {
        attr: 'trace_id',
        detail: 'Trace ID cannot be changed once a review is created.',
      });
    const scores = body.scores && (await resolveScores(context.runPrepared, project.id, readScores(body.scores)));
    const now = new Date(context.clock.nowMs());
    const { userId } = caller;
    const data = {
      ...(body.comment !== undefined && { comment: readComment(body.comment) }),
      reviewedById: userId,
      updatedAt: now,
    };
    const changed = await context.prisma.$transaction(async (prisma) => {
      const before = (await lockReview(prisma, project.id, id)) ?? raiseNoReview(id);
      await prisma.traceReview.updateMany({ where: { id, projectId: project.id }, data });
      if (scores !== undefined) {
        await prisma.traceScore.deleteMany({ where: { reviewId: id } });
        await prisma.$executeRaw(insertScores({ reviewId: id, userId, now }, scores));
      }
      const after = (await readReview(prisma, project.id, id)) ?? raiseNoReview(id);
      await recordActivity(prisma, caller, {
        organizationId: project.organizationId,
        projectId: project.id,
        itemType: 'trace_review',
        itemId: after.id,
        activity: 'updated',
        before: loggedReview(before),
        after: loggedReview(after),
      });
      const reviewed = { projectId: project.id, traceId: after.traceId, queueId: body.queue_id ?? null, now };
      await prisma.$queryRaw`SELECT ${clearQueue(reviewed)}`;
      return after;
    });
    return renderReview(changed, context.baseUrl(request));
  },
});
