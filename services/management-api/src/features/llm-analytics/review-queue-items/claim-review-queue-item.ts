import { AppError } from '@millrace/http/errors/errors.ts';
import { projectRoute } from '../../../context.ts';
import { Claim, ClaimBody, leaseSecondsOf, renderClaim } from './claim.ts';
import { claimItem } from './claim-queries.ts';
import { findReviewQueueItem, ItemId } from './find-review-queue-item.ts';

export const claimReviewQueueItem = projectRoute({
  operationId: 'claim_review_queue_item',
  method: 'post',
  path: '/api/projects/:project_id/llm_analytics/review_queue_items/:item_id/claim',
  params: { item_id: ItemId },
  access: { scope: 'llm_analytics:write' },
  tag: 'LLM analytics',
  summary: 'Claim a trace that waits, or keep the one that you have, for a new lease from now on',
  description: 'While somebody else has it, it is a 409.',
  body: ClaimBody,
  responses: { 200: Claim },
  errors: ['conflict'],
  find: findReviewQueueItem,
  async handler({ auth: { caller }, context: { prisma }, found, body }) {
    const claimed = await claimItem(prisma, found.id, { userId: caller.userId, seconds: leaseSecondsOf(body) });
    if (claimed === null) throw new AppError('conflict', { detail: 'Somebody else has claimed this item.' });
    return renderClaim(found, claimed.claimedUntil);
  },
});
