import { reply } from '@millrace/http/replies/reply.ts';
import { recordActivity } from '../../../activity-log.ts';
import { projectRoute } from '../../../context.ts';
import { findTraceReview, raiseNoReview, ReviewId } from './find-trace-review.ts';
import { lockReview } from './review-queries.ts';
import { loggedReview } from './trace-review.ts';

export const deleteTraceReview = projectRoute({
  operationId: 'delete_trace_review',
  method: 'delete',
  path: '/api/projects/:project_id/llm_analytics/trace_reviews/:review_id',
  params: { review_id: ReviewId },
  access: { scope: 'llm_analytics:write' },
  tag: 'LLM analytics',
  summary: 'Delete a review; its trace may be queued and reviewed again',
  responses: { 204: null },
  find: findTraceReview,
  async handler({ params: { review_id: id }, auth: { project, caller }, context }) {
    const now = new Date(context.clock.nowMs());
    await context.prisma.$transaction(async (prisma) => {
      const before = (await lockReview(prisma, project.id, id)) ?? raiseNoReview(id);
      await prisma.traceReview.updateMany({ where: { id, projectId: project.id }, data: { deletedAt: now } });
      await recordActivity(prisma, caller, {
        organizationId: project.organizationId,
        projectId: project.id,
        itemType: 'trace_review',
        itemId: before.id,
        activity: 'deleted',
        before: loggedReview(before),
      });
    });
    return reply(204, undefined);
  },
});
