import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { keptMs } from '../delivery.ts';

/** Removes deliveries that are older than anybody may see them. Several processes may do so at once. */
export async function sweepDeliveries({ prisma, clock }: { prisma: PrismaClient; clock: Clock }): Promise<void> {
  await prisma.$executeRaw`
    DELETE FROM error_tracking_alert_deliveries d USING error_tracking_alert_queues q
    WHERE d.project_id = q.project_id AND d.channel = q.channel AND d.created_at < ${new Date(clock.nowMs() - keptMs)}`;
}
