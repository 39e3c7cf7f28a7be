import {
  Array as ArrayType,
  Boolean as BooleanType,
  Object as ObjectType,
  Optional,
  String as StringType,
  type Static,
} from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import type { ErrorTrackingAlertSettings as Row, PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import { misnamedFields } from '../../../misnamed-fields.ts';
import { keptMs, LastDelivery, renderDelivery } from './delivery.ts';
import { onlyUserOf, readRecipients } from './recipients.ts';

export const alertsPath = '/api/projects/:project_id/error_tracking/alerts';

const recipientsMax = 10;

const fields = {
  enabled: BooleanType({ description: 'False: no alert is made, and those that wait fail. Default true.' }),
  on_new: BooleanType({
    description: 'Alert to issues that are new. Counts for alerts that are made afterwards. Default true.',
  }),
  on_regressed: BooleanType({
    description:
      'Alert to resolved issues that are seen again. Counts for alerts that are made afterwards. Default true.',
  }),
  webhook_url: nullable(
    StringType({
      description: 'Receiver of signed POST requests; null: none.',
      examples: ['https://example.com/hooks/millrace'],
    }),
  ),
  mail_recipients: ArrayType(StringType(), {
    maxItems: recipientsMax,
    description: 'Addresses of users who may see the project. Who may no longer is not among them and gets no mail.',
    examples: [[]],
  }),
};
const secret = StringType({
  description: 'The key of signatures. This is the only time that it is shown.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
});

const shown = {
  ...fields,
  webhook_secret_set: BooleanType({ description: 'True: webhooks are signed.' }),
  mail_configured: BooleanType({ description: 'False: this server sends no mail.' }),
  last_delivery: LastDelivery,
  updated_at: nullable(StringType({ format: 'date-time', description: 'Null: nothing was ever set.' })),
};

/** How a project is alerted (contract/orgs-errors 9.1). */
export const AlertSettings = ObjectType(shown, { title: 'ErrorTrackingAlertSettings' });

/** The same after a change, which may have made the key of signatures. */
export const ChangedAlertSettings = ObjectType(
  { ...shown, webhook_secret: Optional(secret) },
  { title: 'ErrorTrackingChangedAlertSettings' },
);

export const WebhookSecret = ObjectType({ webhook_secret: secret }, { title: 'ErrorTrackingWebhookSecret' });

/** Body of PATCH: what is left out stays. */
export const AlertSettingsChange = ObjectType(
  {
    enabled: Optional(fields.enabled),
    on_new: Optional(fields.on_new),
    on_regressed: Optional(fields.on_regressed),
    webhook_url: Optional(fields.webhook_url),
    mail_recipients: Optional(fields.mail_recipients),
  },
  {
    title: 'ErrorTrackingAlertSettingsUpdate',
    ...misnamedFields({
      enabled: ['active', 'is_active', 'is_enabled'],
      on_new: ['on_created', 'new'],
      on_regressed: ['on_reopened', 'regressed', 'on_regression'],
      webhook_url: ['url', 'webhook'],
      mail_recipients: ['recipients', 'emails', 'email_recipients', 'mails'],
    }),
  },
);

/** The settings of a project that has none yet. Pure. */
export const noSettings = (projectId: number): Row => ({
  projectId,
  enabled: true,
  onNew: true,
  onRegressed: true,
  webhookUrl: null,
  webhookSecret: null,
  formerWebhookSecrets: [],
  recipientIds: [],
  createdAt: new Date(0),
  updatedAt: new Date(0),
});

interface Parts {
  prisma: PrismaClient;
  mailer: { isConfigured: boolean };
  clock: Clock;
}

/** Settings as they are shown; null: the project has none. */
export async function showSettings(
  { prisma, mailer, clock }: Parts,
  auth: ProjectAccess,
  row: Row | null,
): Promise<Static<typeof AlertSettings>> {
  const { project } = auth;
  const settings = row ?? noSettings(project.id);
  const onlyUserId = await onlyUserOf(prisma, auth);
  const shown = settings.recipientIds.filter((id) => onlyUserId === null || id === onlyUserId);
  const last = await prisma.errorTrackingAlertDelivery.findFirst({
    where: { projectId: project.id, createdAt: { gt: new Date(clock.nowMs() - keptMs) } },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return {
    ...loggedSettings(settings, await readRecipients(prisma, project, shown)),
    webhook_secret_set: settings.webhookSecret !== null,
    mail_configured: mailer.isConfigured,
    last_delivery: last === null ? null : renderDelivery(last),
    updated_at: row?.updatedAt.toISOString() ?? null,
  };
}

/** The part of the settings that the activity log keeps: no secret. Pure. */
export function loggedSettings(settings: Row, recipients: readonly { email: string }[]) {
  return {
    enabled: settings.enabled,
    on_new: settings.onNew,
    on_regressed: settings.onRegressed,
    webhook_url: settings.webhookUrl,
    mail_recipients: recipients.map(({ email }) => email),
  };
}
