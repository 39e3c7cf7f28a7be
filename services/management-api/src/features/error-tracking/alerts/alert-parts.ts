import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { Part } from '@millrace/runtime/lifecycle.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import type { Registry } from '@millrace/runtime/operations/metrics.ts';
import type { MailBudget } from '../../../mail/mail-budget.ts';
import type { Mailer } from '../../../mail/mailer.ts';
import { observeAlerts } from './alert-metrics.ts';
import { createAlertSender } from './sending/alert-sender.ts';
import { deliver, type Delivery } from './sending/deliver.ts';
import { createPostWebhook, type Outcome } from './webhooks/post-webhook.ts';
import { createResolveHost, type ResolveHost } from './webhooks/resolve-host.ts';

export interface AlertPartsOptions {
  prisma: PrismaClient;
  mailer: Mailer;
  mailBudget: MailBudget;
  clock: Clock;
  logger: Logger;
  registry: Registry;
  linkBase: () => string;
  isPrivateAllowed: boolean;
  /** Tests give their own names. */
  resolveHost?: ResolveHost | undefined;
}

/** Alerts, for the routes of this feature. */
export interface Alerts {
  /** Webhooks may go to private addresses. */
  isPrivateAllowed: boolean;
  /** Makes one attempt. Never throws what a receiver says. */
  deliver(delivery: Omit<Delivery, 'place'>): Promise<Outcome>;
}

/** Sends alerts, in the background and for a test. */
export function createAlertParts({ isPrivateAllowed, resolveHost, registry, ...parts }: AlertPartsOptions): {
  alerts: Alerts;
  part: Part;
} {
  const names = resolveHost ?? createResolveHost(isPrivateAllowed);
  const options = { ...parts, postWebhook: createPostWebhook({ resolveHost: names, isPrivateAllowed }) };
  return {
    alerts: {
      isPrivateAllowed,
      async deliver(delivery) {
        const { projectId } = delivery.settings;
        const where = { id: projectId };
        const { name } = await parts.prisma.project.findUniqueOrThrow({ where, select: { name: true } });
        return await deliver(options, {
          ...delivery,
          place: { projectId, projectName: name, address: parts.linkBase() },
        });
      },
    },
    part: createAlertSender({ ...options, observer: observeAlerts(registry) }),
  };
}
