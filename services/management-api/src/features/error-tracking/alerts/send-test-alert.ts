import { Integer, Object as ObjectType, Boolean as BooleanType, String as StringType, type Static } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { projectRoute } from '../context.ts';
import { alertsPath, noSettings } from './alert-settings.ts';
import type { Alert, Channel } from './delivery.ts';
import { boundPauses } from './sending/claim-turn.ts';
import { rates } from './sending/rates.ts';
import type { Outcome } from './webhooks/post-webhook.ts';

const Attempt = ObjectType({
  delivered: BooleanType(),
  response_status: nullable(Integer({ description: "Status of the receiver's answer.", examples: [204] })),
  error: nullable(StringType({ examples: [null] })),
});
const attemptOrNull = nullable(Attempt);

export const sendTestAlert = projectRoute({
  operationId: 'test_error_tracking_alerts',
  method: 'post',
  path: `${alertsPath}/test`,
  access: { scope: 'error_tracking:write' },
  tag: 'Error tracking',
  summary: 'Send a test alert by each channel, and show what became of it',
  description:
    'One attempt each, of the type `test`, whether alerts are enabled or not. It counts for the rates of alerts. A channel that is not set up is null.',
  responses: { 200: ObjectType({ webhook: attemptOrNull, mail: attemptOrNull }, { title: 'ErrorTrackingAlertTest' }) },
  errors: ['throttled'],
  async handler({ auth: { project }, context: { prisma, clock, alerts } }) {
    const settings =
      (await prisma.errorTrackingAlertSettings.findUnique({ where: { projectId: project.id } })) ??
      noSettings(project.id);
    const channels: Channel[] = [];
    if (settings.webhookUrl !== null) channels.push('webhook');
    if (settings.recipientIds.length > 0) channels.push('mail');
    const nowMs = clock.nowMs();
    await prisma.$transaction(async (transaction) => {
      for (const channel of channels.toSorted()) await takeAttempt(transaction, project.id, channel, nowMs);
    });
    const made = channels.map((channel) => ({ channel, alert: testAlert(nowMs) }));
    const outcomes = await Promise.all(
      made.map((one) => alerts.deliver({ ...one, settings, organizationId: project.organizationId })),
    );
    await prisma.errorTrackingAlertDelivery.createMany({
      data: made.map((one, at) => rowOf(project.id, one, outcomes[at], clock.nowMs())),
    });
    const resultOf = (channel: Channel): Static<typeof Attempt> | null =>
      renderOutcome(outcomes[channels.indexOf(channel)]);
    return { webhook: resultOf('webhook'), mail: resultOf('mail') };
  },
});

/** Counts an attempt. @throws {AppError} throttled: the rate of the channel is used up */
async function takeAttempt(
  transaction: Prisma.TransactionClient,
  projectId: number,
  channel: Channel,
  nowMs: number,
): Promise<void> {
  const { attemptsMax, windowMs } = rates[channel];
  await boundPauses(transaction);
  await transaction.$executeRaw`
    INSERT INTO error_tracking_alert_queues (project_id, channel) VALUES (${projectId}, ${channel}) ON CONFLICT DO NOTHING`;
  const [queue] = await transaction.$queryRaw<{ attemptedAt: Date[] }[]>`
    SELECT attempted_at AS "attemptedAt" FROM error_tracking_alert_queues WHERE project_id = ${projectId} AND channel = ${channel} FOR UPDATE`;
  const within = (queue?.attemptedAt ?? []).filter((time) => time.getTime() > nowMs - windowMs);
  if (within.length >= attemptsMax) {
    const retryAfterS = Math.ceil(((within[0]?.getTime() ?? nowMs) + windowMs - nowMs) / 1000);
    const detail = `Too many alerts by ${channel}. Expected available in ${retryAfterS} seconds.`;
    throw new AppError('throttled', { detail, retryAfterS });
  }
  const where = { projectId_channel: { projectId, channel } };
  await transaction.errorTrackingAlertQueue.update({ where, data: { attemptedAt: [...within, new Date(nowMs)] } });
}

const testAlert = (nowMs: number): Alert => ({
  id: uuidV7(nowMs),
  type: 'test',
  issues: [],
  createdCount: 0,
  regressedCount: 0,
  createdAt: new Date(nowMs),
});

function rowOf(
  projectId: number,
  { channel, alert }: { channel: Channel; alert: Alert },
  outcome: Outcome | undefined,
  nowMs: number,
) {
  const { id, type, createdAt } = alert;
  const isDelivered = outcome?.isDelivered === true;
  return {
    ...{ id, projectId, channel, type, createdAt, attempts: 1 },
    status: isDelivered ? 'delivered' : 'failed',
    responseStatus: outcome?.responseStatus ?? null,
    error: outcome?.error ?? null,
    deliveredAt: isDelivered ? new Date(nowMs) : null,
  };
}

const renderOutcome = (outcome: Outcome | undefined) =>
  outcome === undefined
    ? null
    : { delivered: outcome.isDelivered, response_status: outcome.responseStatus, error: outcome.error };
