import type { ErrorTrackingAlertSettings, PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { MailBudget } from '../../../../mail/mail-budget.ts';
import type { Mailer } from '../../../../mail/mailer.ts';
import type { Alert, Channel } from '../delivery.ts';
import type { Outcome, PostWebhook } from '../webhooks/post-webhook.ts';
import { signatureHeaders, signingSecrets } from '../webhooks/webhook-secret.ts';
import { alertPayload, type AlertPlace } from './alert-payload.ts';
import { sendMails } from './send-mails.ts';

export interface DeliverOptions {
  prisma: PrismaClient;
  mailer: Mailer;
  mailBudget: MailBudget;
  clock: Clock;
  logger: Pick<Logger, 'warn'>;
  postWebhook: PostWebhook;
}

/** An alert and where it goes. */
export interface Delivery {
  channel: Channel;
  alert: Alert;
  settings: ErrorTrackingAlertSettings;
  place: AlertPlace;
  organizationId: string;
  mailedIds?: readonly number[];
  onMailed?: (userId: number) => Promise<void>;
}

/** Makes one attempt by a channel. */
export async function deliver(options: DeliverOptions, delivery: Delivery): Promise<Outcome> {
  const { alert, place, settings, organizationId, mailedIds = [] } = delivery;
  if (delivery.channel === 'webhook') return await callReceiver(options, delivery);
  const onMailed = delivery.onMailed ?? (() => Promise.resolve());
  return await sendMails(options, {
    alert,
    place,
    organizationId,
    recipientIds: settings.recipientIds,
    mailedIds,
    onMailed,
  });
}

async function callReceiver(
  { postWebhook, clock }: DeliverOptions,
  { alert, settings, place }: Delivery,
): Promise<Outcome> {
  const nowMs = clock.nowMs();
  const body = alertPayload(alert, place);
  const signed = { id: alert.id, timestamp: Math.floor(nowMs / 1000), body };
  return await postWebhook(settings.webhookUrl ?? '', signatureHeaders(signingSecrets(settings, nowMs), signed), body);
}
