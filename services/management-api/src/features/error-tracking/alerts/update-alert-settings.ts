import { AppError } from '@millrace/http/errors/errors.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { projectRoute } from '../context.ts';
import { alertsPath, AlertSettingsChange, ChangedAlertSettings, showSettings } from './alert-settings.ts';
import { changeSettings } from './change-settings.ts';
import { chooseRecipients, onlyUserOf } from './recipients.ts';
import { urlFault } from './webhooks/webhook-address.ts';
import { newWebhookSecret } from './webhooks/webhook-secret.ts';

export const updateAlertSettings = projectRoute({
  operationId: 'update_error_tracking_alert_settings',
  method: 'patch',
  path: alertsPath,
  access: { scope: 'error_tracking:write' },
  tag: 'Error tracking',
  summary: 'Change how a project is alerted to new and regressed issues',
  description:
    'What is left out stays. The first `webhook_url` makes the key of signatures: that reply alone has it, as `webhook_secret`. What waits to be sent goes to the new receivers.',
  body: AlertSettingsChange,
  responses: { 200: ChangedAlertSettings },
  async handler({ auth, context, body }) {
    const { prisma: client, clock, alerts } = context;
    const { webhook_url: url, mail_recipients: addresses } = body;
    const fault = url === undefined || url === null ? undefined : urlFault(url, alerts.isPrivateAllowed);
    if (fault !== undefined) throw new AppError('invalid_input', { attr: 'webhook_url', detail: fault });
    const onlyUserId = await onlyUserOf(client, auth);
    const now = new Date(clock.nowMs());
    const made = newWebhookSecret();
    const after = await client.$transaction((prisma) =>
      changeSettings(prisma, auth, 'updated', async ({ webhookSecret, recipientIds: before }) => ({
        ...(body.enabled !== undefined && { enabled: body.enabled }),
        ...(body.on_new !== undefined && { onNew: body.on_new }),
        ...(body.on_regressed !== undefined && { onRegressed: body.on_regressed }),
        ...(url !== undefined && { webhookUrl: url }),
        ...(url && webhookSecret === null && { webhookSecret: made }),
        ...(addresses && {
          recipientIds: await chooseRecipients(prisma, auth.project, { addresses, before, onlyUserId }),
        }),
        updatedAt: now,
      })),
    );
    if (!after.enabled || url === null || addresses?.length === 0) await wakeQueues(client, auth.project.id, now);
    const shown = await showSettings(context, auth, after);
    return after.webhookSecret === made ? { ...shown, webhook_secret: made } : shown;
  },
});

/** Lets what waits by a channel that is switched off fail at once, and not when it is next due. */
async function wakeQueues(
  prisma: Pick<PrismaClient, 'errorTrackingAlertQueue'>,
  projectId: number,
  now: Date,
): Promise<void> {
  const where = { projectId, nextAt: { not: null } };
  await prisma.errorTrackingAlertQueue.updateMany({ where, data: { nextAt: now, blockedUntil: null } });
}
