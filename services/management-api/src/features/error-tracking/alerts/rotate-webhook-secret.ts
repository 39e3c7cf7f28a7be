import { projectRoute } from '../context.ts';
import { alertsPath, WebhookSecret } from './alert-settings.ts';
import { changeSettings } from './change-settings.ts';
import { formerMax, newWebhookSecret, rotated } from './webhooks/webhook-secret.ts';

export const rotateWebhookSecret = projectRoute({
  operationId: 'rotate_error_tracking_webhook_secret',
  method: 'post',
  path: `${alertsPath}/rotate_secret`,
  access: { scope: 'error_tracking:write' },
  tag: 'Error tracking',
  summary: 'Make a new key for the signatures of webhooks',
  description: `For 24 hours webhooks are signed with the former key too, so that no receiver misses one. At most ${formerMax} former keys sign at a time: one more ends the oldest.`,
  responses: { 200: WebhookSecret },
  async handler({ auth, context: { prisma: client, clock } }) {
    const made = newWebhookSecret();
    const now = new Date(clock.nowMs());
    await client.$transaction((prisma) =>
      changeSettings(prisma, auth, 'rolled', (before) => ({
        ...rotated(before, made, now.getTime()),
        updatedAt: now,
      })),
    );
    return { webhook_secret: made };
  },
});
