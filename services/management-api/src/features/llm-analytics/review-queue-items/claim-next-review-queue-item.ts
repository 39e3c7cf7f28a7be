import { projectRoute } from '../context.ts';
import { findQueueId, QueueId } from '../review-queues/find-review-queue.ts';
import { Claim, ClaimBody, leaseSecondsOf, renderClaim } from './claim.ts';
import { claimNext } from './claim-queries.ts';

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
  find: findQueueId,
  async handler({ auth: { caller }, context: { runPrepared }, found: queueId, body }) {
    const claimed = await claimNext(runPrepared, queueId, { userId: caller.userId, seconds: leaseSecondsOf(body) });
    return claimed === null ? { item: null, claimed_until: null } : renderClaim(claimed, claimed.claimedUntil);
  },
});
