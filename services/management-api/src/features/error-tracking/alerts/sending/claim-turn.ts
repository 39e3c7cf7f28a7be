import { randomUUID } from 'node:crypto';
import {
  Prisma,
  type ErrorTrackingAlertDelivery,
  type ErrorTrackingAlertSettings,
  type PrismaClient,
} from '@millrace/postgres/generated/client.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { Channel } from '../delivery.ts';
import { planAttempts, waitsMs } from './rates.ts';

/** Deliveries that one process sends next for a project by a channel. Nobody else sends for it meanwhile. */
export interface Turn {
  projectId: number;
  channel: Channel;
  /** Names this turn; the end of another's changes nothing. */
  holder: string;
  settings: SettingsOfProject;
  deliveries: readonly ErrorTrackingAlertDelivery[];
}

type SettingsOfProject = ErrorTrackingAlertSettings & {
  project: { name: string; organizationId: string; deletedAt: Date | null };
};
type Transaction = Prisma.TransactionClient;

interface Queue {
  projectId: number;
  channel: Channel;
  attemptedAt: Date[];
}

/** Longer than an attempt takes. A turn whose process died is over after it. */
export const leaseMs = 180_000;
/** Issues that a digest names. */
const namedMax = 10;
/** Deliveries that one turn changes or counts: the consumer waits for the queue meanwhile. */
const stepMax = 5_000;
/** A queue that could not be claimed is left alone so long. */
const faultPauseMs = 60_000;

interface ClaimOptions {
  prisma: PrismaClient;
  logger: Pick<Logger, 'warn'>;
}

/**
 * Takes the queue that is due for longest, and counts its attempts before they are made: after a death between sending and recording the next
 * attempt comes by itself. `idle`: nothing of the queue is to be sent now, or it could not be claimed and waits; null: no queue is due.
 */
export async function claimTurn(
  { prisma, logger }: ClaimOptions,
  channel: Channel,
  nowMs: number,
): Promise<Turn | 'idle' | null> {
  const now = new Date(nowMs);
  const due = Prisma.sql`FROM error_tracking_alert_queues
    WHERE channel = ${channel} AND next_at <= ${now} AND (blocked_until IS NULL OR blocked_until <= ${now})
      AND (claimed_until IS NULL OR claimed_until <= statement_timestamp())
    ORDER BY next_at LIMIT 1`;
  // Most often nothing is: then one statement is enough.
  if ((await prisma.$queryRaw<unknown[]>`SELECT 1 AS due ${due}`).length === 0) return null;
  const claimed: { queue?: Queue | undefined } = {};
  try {
    return await prisma.$transaction(async (transaction) => {
      await boundPauses(transaction);
      [claimed.queue] = await transaction.$queryRaw<Queue[]>`
        SELECT project_id AS "projectId", channel, attempted_at AS "attemptedAt" ${due} FOR UPDATE SKIP LOCKED`;
      return claimed.queue === undefined ? null : await takeQueue(transaction, claimed.queue, nowMs);
    });
  } catch (err) {
    if (claimed.queue === undefined) throw err;
    // It would be the first again, and hold up all others.
    const { projectId } = claimed.queue;
    const blockedUntil = new Date(nowMs + faultPauseMs);
    await prisma.errorTrackingAlertQueue.updateMany({ where: { projectId, channel }, data: { blockedUntil } });
    logger.warn({ err, projectId, channel }, 'alerts of a project could not be claimed: they wait for a minute');
    return 'idle';
  }
}

async function takeQueue(transaction: Transaction, queue: Queue, nowMs: number): Promise<Turn | 'idle'> {
  const settings = await transaction.errorTrackingAlertSettings.findUnique({
    where: { projectId: queue.projectId },
    include: { project: { select: { name: true, organizationId: true, deletedAt: true } } },
  });
  if (settings === null || !isWanted(queue.channel, settings)) {
    await giveUp(transaction, queue, nowMs);
    return 'idle';
  }
  const taken = await takeDeliveries(transaction, queue, nowMs);
  return taken.deliveries.length === 0 ? 'idle' : { ...taken, settings };
}

/** The consumer waits for a locked queue when it makes an alert: a process that freezes here must not hold it for long. */
export async function boundPauses(transaction: Transaction): Promise<void> {
  await transaction.$queryRaw`SELECT set_config('idle_in_transaction_session_timeout', '5s', true)`;
}

function isWanted(channel: Channel, { enabled, webhookUrl, recipientIds, project }: SettingsOfProject): boolean {
  return (
    enabled && project.deletedAt === null && (channel === 'webhook' ? webhookUrl !== null : recipientIds.length > 0)
  );
}

/** Alerts were switched off after these were made. Those beyond a step are the next turn's. */
async function giveUp(transaction: Transaction, { projectId, channel }: Queue, nowMs: number): Promise<void> {
  const ended = await transaction.$executeRaw`
    UPDATE error_tracking_alert_deliveries SET status = 'failed', error = 'Alerts by this channel were switched off.', next_attempt_at = NULL
    WHERE id IN (SELECT id FROM error_tracking_alert_deliveries
      WHERE project_id = ${projectId} AND channel = ${channel} AND status = 'pending' LIMIT ${stepMax})`;
  const where = { projectId_channel: { projectId, channel } };
  const nextAt = ended < stepMax ? null : new Date(nowMs);
  await transaction.errorTrackingAlertQueue.update({ where, data: { nextAt, blockedUntil: null } });
}

/** Numbers up to `stepMax`. */
interface Pending {
  fresh: number;
  retries: number;
  /** When the next attempt of those that are not due will be. */
  soonest: Date | null;
}

async function takeDeliveries(transaction: Transaction, queue: Queue, nowMs: number): Promise<Omit<Turn, 'settings'>> {
  const { projectId, channel, attemptedAt } = queue;
  const [now, holder] = [new Date(nowMs), randomUUID()];
  const [pending = { fresh: 0, retries: 0, soonest: null }] = await transaction.$queryRaw<Pending[]>`
    WITH pending AS NOT MATERIALIZED (
      SELECT next_attempt_at FROM error_tracking_alert_deliveries
      WHERE project_id = ${projectId} AND channel = ${channel} AND status = 'pending'
    )
    SELECT (SELECT count(*)::integer FROM (SELECT FROM pending WHERE next_attempt_at IS NULL LIMIT ${stepMax}) AS first) AS fresh,
      (SELECT count(*)::integer FROM (SELECT FROM pending WHERE next_attempt_at <= ${now} LIMIT ${stepMax}) AS first) AS retries,
      (SELECT min(next_attempt_at) FROM pending WHERE next_attempt_at > ${now}) AS soonest`;
  const plan = planAttempts(channel, { ...pending, attemptedMs: attemptedAt.map((time) => time.getTime()) }, nowMs);
  const ids = [
    ...(await pendingIds(transaction, queue, { lte: now }, plan.retries)),
    ...(await pendingIds(transaction, queue, null, plan.singles)),
    ...(plan.isDigest ? [await makeDigest(transaction, queue, nowMs)] : []),
  ];
  await countAttempts(transaction, ids, now);
  const isIdle = ids.length === 0;
  const isBlocked = plan.blockedUntilMs !== undefined;
  await transaction.errorTrackingAlertQueue.update({
    where: { projectId_channel: { projectId, channel } },
    data: {
      attemptedAt: [...plan.withinMs, ...ids.map(() => nowMs)].map((ms) => new Date(ms)),
      blockedUntil: isBlocked ? new Date(plan.blockedUntilMs ?? 0) : null,
      nextAt: isIdle && !isBlocked ? pending.soonest : now,
      claimedBy: isIdle ? null : holder,
    },
  });
  const deliveries = isIdle
    ? []
    : await transaction.errorTrackingAlertDelivery.findMany({ where: { id: { in: ids } } });
  // The clock of Postgres: processes agree on it.
  await transaction.$executeRaw`
    UPDATE error_tracking_alert_queues
    SET claimed_until = CASE WHEN claimed_by IS NOT NULL THEN statement_timestamp() + ${leaseMs} * interval '1 millisecond' END
    WHERE project_id = ${projectId} AND channel = ${channel}`;
  return { projectId, channel, holder, deliveries };
}

async function pendingIds(
  transaction: Transaction,
  { projectId, channel }: Queue,
  nextAttemptAt: { lte: Date } | null,
  take: number,
): Promise<string[]> {
  if (take === 0) return [];
  const where = { projectId, channel, status: 'pending', nextAttemptAt };
  const orderBy = [{ nextAttemptAt: 'asc' as const }, { createdAt: 'asc' as const }, { id: 'asc' as const }];
  const rows = await transaction.errorTrackingAlertDelivery.findMany({ where, orderBy, take, select: { id: true } });
  return rows.map(({ id }) => id);
}

/** One delivery that tells of those that wait and were not tried yet, as far as a step goes: the next digest tells of the rest. Returns its id. */
async function makeDigest(transaction: Transaction, { projectId, channel }: Queue, nowMs: number): Promise<string> {
  const id = uuidV7(nowMs);
  await transaction.$executeRaw`
    WITH folded AS (
      UPDATE error_tracking_alert_deliveries SET status = 'digested', digest_id = ${id}::uuid
      WHERE id IN (SELECT id FROM error_tracking_alert_deliveries
        WHERE project_id = ${projectId} AND channel = ${channel} AND status = 'pending' AND next_attempt_at IS NULL
        ORDER BY next_attempt_at, created_at, id LIMIT ${stepMax})
      RETURNING id, issues, created_count, regressed_count, created_at
    )
    INSERT INTO error_tracking_alert_deliveries (id, project_id, channel, type, issues, created_count, regressed_count, created_at)
    SELECT ${id}::uuid, ${projectId}, ${channel}, 'issues.digest',
      (SELECT coalesce(jsonb_agg(issue), '[]') FROM (SELECT issues->0 AS issue FROM folded ORDER BY created_at, id LIMIT ${namedMax}) AS named),
      sum(created_count), sum(regressed_count), ${new Date(nowMs)}
    FROM folded`;
  return id;
}

/** The next attempt is set before this one is made. */
async function countAttempts(transaction: Transaction, ids: readonly string[], now: Date): Promise<void> {
  if (ids.length === 0) return;
  await transaction.$executeRaw`
    UPDATE error_tracking_alert_deliveries SET attempts = attempts + 1,
      next_attempt_at = ${now}::timestamptz + (${waitsMs}::integer[])[least(attempts + 1, ${waitsMs.length})] * interval '1 millisecond'
    WHERE id = ANY(${[...ids]}::uuid[])`;
}
