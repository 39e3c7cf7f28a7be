import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Outcome } from '../webhooks/post-webhook.ts';
import { leaseMs, type Turn } from './claim-turn.ts';
import { attemptsMax } from './rates.ts';

/** How an attempt is counted. */
export type AttemptEnd = 'delivered' | 'retried' | 'failed';

/** Records the end of an attempt, unless another was begun since. */
export async function endAttempt(
  prisma: Pick<PrismaClient, 'errorTrackingAlertDelivery'>,
  { id, attempts }: Turn['deliveries'][number],
  { isDelivered, responseStatus, error, isFinal }: Outcome,
  nowMs: number,
): Promise<AttemptEnd> {
  const end = isDelivered ? 'delivered' : isFinal === true || attempts >= attemptsMax ? 'failed' : 'retried';
  await prisma.errorTrackingAlertDelivery.updateMany({
    where: { id, attempts, status: 'pending' },
    data: {
      responseStatus,
      error,
      ...(end !== 'retried' && { status: end, nextAttemptAt: null }),
      ...(isDelivered && { deliveredAt: new Date(nowMs) }),
    },
  });
  return end;
}

/** Records that a user has the mail, and holds the turn for the next one. */
export async function recordMailed(
  prisma: PrismaClient,
  turn: Turn,
  deliveryId: string,
  userId: number,
): Promise<void> {
  await prisma.$executeRaw`
    WITH mailed AS (
      UPDATE error_tracking_alert_deliveries SET mailed_ids = mailed_ids || ${userId}::integer WHERE id = ${deliveryId}::uuid
    )
    UPDATE error_tracking_alert_queues SET claimed_until = statement_timestamp() + ${leaseMs} * interval '1 millisecond'
    WHERE project_id = ${turn.projectId} AND channel = ${turn.channel} AND claimed_by = ${turn.holder}::uuid`;
}

/** Gives the queue back. It is due at once, so that the next turn sees what is left; after a failure not before `pauseMs`. */
export async function endTurn(
  prisma: Pick<PrismaClient, 'errorTrackingAlertQueue'>,
  { projectId, channel, holder }: Turn,
  { nowMs, pauseMs }: { nowMs: number; pauseMs: number },
): Promise<void> {
  await prisma.errorTrackingAlertQueue.updateMany({
    where: { projectId, channel, claimedBy: holder },
    data: {
      claimedBy: null,
      claimedUntil: null,
      nextAt: new Date(nowMs),
      blockedUntil: pauseMs === 0 ? null : new Date(nowMs + pauseMs),
    },
  });
}
