import { projectRoute } from '../../../context.ts';
import { findReviewQueue, QueueId } from '../review-queues/find-review-queue.ts';
import { Claim, ClaimBody, leaseSecondsOf, renderClaim } from './claim.ts';
import { claimNext } from './claim-queries.ts';
import { readItem } from './item-queries.ts';

export const claimNextReviewQueueItem = projectRoute({
  operationId: 'claim_next_review_queue_item',
  method: 'post',
  path: '/api/projects/:project_id/llm_analytics/review_queues/:queue_id/claim',
  params: { queue_id: QueueId },
  access: { scope: 'llm_analytics:write' },
  tag: 'LLM analytics',
  summary: 'Get the oldest trace of a review queue that nobody works on',
  description:
    'No one else gets it until the lease ends; claim the item itself to keep it longer, or release it. Each call gets another item. When none is free, both fields are null.',
  body: ClaimBody,
  responses: { 200: Claim },
  find: findReviewQueue,
  async handler({ auth: { project, caller }, context: { prisma: client }, found, body }) {
    const lease = { userId: caller.userId, seconds: leaseSecondsOf(body) };
    // One transaction: whoever reviews or deletes the item waits until it has been read.
    return await client.$transaction(async (prisma) => {
      const claimed = await claimNext(prisma, found.id, lease);
      const item = claimed && (await readItem(prisma, project.id, claimed.id));
      return claimed && item ? renderClaim(item, claimed.claimedUntil) : { item: null, claimed_until: null };
    });
  },
});
