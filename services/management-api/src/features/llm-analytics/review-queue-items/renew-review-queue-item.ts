import { AppError } from '@millrace/http/errors/errors.ts';
import { projectRoute } from '../../../context.ts';
import { Claim, ClaimBody, leaseSecondsOf, renderClaim } from './claim.ts';
import { renewClaim } from './claim-queries.ts';
import { findReviewQueueItem, ItemId } from './find-review-queue-item.ts';

export const renewReviewQueueItem = projectRoute({
  operationId: 'renew_review_queue_item',
  method: 'post',
  path: '/api/projects/:project_id/llm_analytics/review_queue_items/:item_id/renew',
  params: { item_id: ItemId },
  access: { scope: 'llm_analytics:write' },
  tag: 'LLM analytics',
  summary: 'Keep a trace that you have claimed, for a new lease from now on',
  description: 'Also after the lease ended, as long as nobody else has claimed it. Else it is a 409.',
  body: ClaimBody,
  responses: { 200: Claim },
  errors: ['conflict'],
  find: findReviewQueueItem,
  async handler({ auth: { caller }, context: { prisma }, found, body }) {
    const claimed = await renewClaim(prisma, found.id, { userId: caller.userId, seconds: leaseSecondsOf(body) });
    if (claimed === null) throw new AppError('conflict', { detail: 'You have no claim on this item.' });
    return renderClaim(found, claimed.claimedUntil);
  },
});
