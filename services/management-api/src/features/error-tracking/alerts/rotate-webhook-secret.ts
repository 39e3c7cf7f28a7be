import { AppError } from '@millrace/http/errors/errors.ts';
import { projectRoute } from '../context.ts';
import { alertsPath, WebhookSecret } from './alert-settings.ts';
import { changeSettings } from './change-settings.ts';
import { formerMax, newWebhookSecret, rotated, validFormer } from './webhooks/webhook-secret.ts';

export const rotateWebhookSecret = projectRoute({
  operationId: 'rotate_error_tracking_webhook_secret',
  method: 'post',
  path: `${alertsPath}/rotate_secret`,
  access: { scope: 'error_tracking:write' },
  tag: 'Error tracking',
  summary: 'Make a new key for the signatures of webhooks',
  description: `For 24 hours webhooks are signed with the former key too, so that no receiver misses one. At most ${formerMax} former keys sign at a time: beyond that, 409.`,
  responses: { 200: WebhookSecret },
  errors: ['conflict'],
  async handler({ auth, context: { prisma: client, clock } }) {
    const made = newWebhookSecret();
    const now = new Date(clock.nowMs());
    await client.$transaction((prisma) =>
      changeSettings(prisma, auth, 'rolled', (before) => {
        const oldest = validFormer(before, now.getTime())[formerMax - 1];
        if (oldest !== undefined)
          throw new AppError('conflict', {
            detail: `${formerMax} former keys still sign. Make another key after ${oldest.until}.`,
          });
        return { ...rotated(before, made, now.getTime()), updatedAt: now };
      }),
    );
    return { webhook_secret: made };
  },
});
