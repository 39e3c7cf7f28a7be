import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { RunPrepared } from '../../../database/prepared-statements.ts';
import { withQueues } from './item-queries.ts';
import type { StoredItem } from './stored-item.ts';

type Reader = Pick<PrismaClient, '$queryRaw' | '$executeRaw'>;

/** A user who claims for some seconds. Leases end by Postgres' clock: one for all processes. */
interface Lease {
  userId: number;
  seconds: number;
}

/** The item that was claimed, and until when. */
export interface Claimed {
  id: string;
  claimedUntil: Date;
}

/**
 * Gives the user the oldest live item of a queue that no lease holds; null: none is free. Items that a transaction just claims, moves or
 * deletes are passed over, so no two callers get the same, and none waits.
 */
export async function claimNext(
  runPrepared: RunPrepared,
  queueId: string,
  { userId, seconds }: Lease,
): Promise<(StoredItem & Claimed) | null> {
  const statement = Prisma.sql`
    WITH claimed AS (
      UPDATE review_queue_items SET claimed_by_id = ${userId}, claimed_until = now() + ${seconds} * interval '1 second'
      WHERE id = (
        SELECT id FROM review_queue_items
        WHERE queue_id = ${queueId}::uuid AND deleted_at IS NULL AND (claimed_until IS NULL OR claimed_until <= now())
        ORDER BY created_at, id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
      RETURNING *)
    SELECT stored.*, claimed.claimed_until AS "claimedUntil"
    FROM claimed, (${withQueues(Prisma.sql`SELECT * FROM claimed`)}) stored`;
  const [claimed] = await runPrepared<StoredItem & Claimed>('claim-review-queue-item', statement);
  return claimed ?? null;
}

/** Gives the user this item from now on, also when it is the user's already. Null: somebody else has it, or it is deleted. */
export async function claimItem(prisma: Reader, id: string, { userId, seconds }: Lease): Promise<Claimed | null> {
  const [claimed] = await prisma.$queryRaw<Claimed[]>`
    UPDATE review_queue_items SET claimed_by_id = ${userId}, claimed_until = now() + ${seconds} * interval '1 second'
    WHERE id = ${id}::uuid AND deleted_at IS NULL AND (claimed_by_id = ${userId} OR claimed_until IS NULL OR claimed_until <= now())
    RETURNING id::text, claimed_until AS "claimedUntil"`;
  return claimed ?? null;
}

/** Ends a claim of the user's; true: nobody else has one. */
export async function releaseClaim(prisma: Reader, id: string, userId: number): Promise<boolean> {
  const count = await prisma.$executeRaw`
    UPDATE review_queue_items SET claimed_by_id = NULL, claimed_until = NULL
    WHERE id = ${id}::uuid AND (claimed_by_id = ${userId} OR claimed_until IS NULL OR claimed_until <= now())`;
  return count > 0;
}
