import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { keptMs } from '../delivery.ts';

interface SweepOptions {
  prisma: Pick<PrismaClient, '$executeRaw'>;
  clock: Clock;
}

/** Rows of one statement. */
const atOnce = 1_000;

/** Removes deliveries that are older than anybody may see them. Several processes may do so at once. */
export async function sweepDeliveries({ prisma, clock }: SweepOptions): Promise<void> {
  const before = new Date(clock.nowMs() - keptMs);
  while ((await removeSome(prisma, before)) === atOnce);
}

/** How many were removed. Each queue is looked up in the index: statements that read the table would read what they removed again and again. */
async function removeSome(prisma: SweepOptions['prisma'], before: Date): Promise<number> {
  return await prisma.$executeRaw`
    DELETE FROM error_tracking_alert_deliveries WHERE id = ANY(ARRAY(
      SELECT old.id FROM error_tracking_alert_queues q CROSS JOIN LATERAL (
        SELECT id FROM error_tracking_alert_deliveries
        WHERE project_id = q.project_id AND channel = q.channel AND created_at < ${before}
        ORDER BY created_at LIMIT ${atOnce} FOR UPDATE SKIP LOCKED) AS old
      LIMIT ${atOnce}))`;
}
