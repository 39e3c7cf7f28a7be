import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Logger } from '@millrace/runtime/logs/logger.ts';
import { withTimeout } from '@millrace/runtime/with-timeout.ts';
import type { MailBudget } from '../../../../mail/mail-budget.ts';
import { MailError, type Mailer } from '../../../../mail/mailer.ts';
import type { Alert } from '../delivery.ts';
import { readRecipients } from '../recipients.ts';
import type { Outcome } from '../webhooks/post-webhook.ts';
import { alertMail } from './alert-mail.ts';
import type { AlertPlace } from './alert-payload.ts';

interface MailsOptions {
  prisma: PrismaClient;
  mailer: Mailer;
  mailBudget: MailBudget;
  logger: Pick<Logger, 'warn'>;
}

export interface Mailing {
  alert: Alert;
  place: AlertPlace;
  organizationId: string;
  recipientIds: readonly number[];
  /** Recipients who have the mail already. */
  mailedIds: readonly number[];
  /** Called after each mail. */
  onMailed: (userId: number) => Promise<void>;
}

/** A mail that takes longer is not waited for; after so long without one that was taken, the others wait for the next attempt. */
const longestMs = 60_000;
/** Share of the organization's mails of a day: the rest is for mails that callers request. */
const share = 0.5;

/** Mails an alert to all who do not have it yet. Never throws what the mail server says. */
export async function sendMails(options: MailsOptions, mailing: Mailing): Promise<Outcome> {
  const { prisma, mailer, mailBudget } = options;
  const { alert, place, organizationId, recipientIds, mailedIds } = mailing;
  if (!mailer.isConfigured) return { ...failed('Mail is not configured on this server.'), isFinal: true };
  const recipients = await readRecipients(prisma, { id: place.projectId, organizationId }, recipientIds);
  if (recipients.length === 0) return { ...failed('No recipient may see the project any more.'), isFinal: true };
  const left = recipients.filter(({ id }) => !mailedIds.includes(id));
  const mail = alertMail(alert, place);
  let [refused, unpaid] = [0, 0];
  let takenAtMs = performance.now();
  for (const { id, email } of left) {
    if (performance.now() >= takenAtMs + longestMs) refused++;
    // Counted one by one: mails that are not sent leave the budget to others.
    else if ((await mailBudget.takeNotices(prisma, { organizationId, addresses: [email] }, share)).length === 0)
      unpaid++;
    else if (await isSent(options, { ...mail, to: email }, place.projectId)) {
      takenAtMs = performance.now();
      await mailing.onMailed(id);
    } else refused++;
  }
  if (refused > 0) return failed(`The mail server did not take the mail for ${refused} of ${left.length} recipients.`);
  if (unpaid > 0) return failed("The organization's mails of the day are used up.");
  return { isDelivered: true, responseStatus: null, error: null };
}

const failed = (error: string): Outcome => ({ isDelivered: false, responseStatus: null, error });

async function isSent(
  { mailer, logger }: MailsOptions,
  mail: Parameters<Mailer['send']>[0],
  projectId: number,
): Promise<boolean> {
  try {
    await withTimeout(mailer.send(mail), longestMs, () => new MailError('the mail server took too long'));
    return true;
  } catch (err) {
    logger.warn({ err, projectId }, 'an alert could not be mailed');
    return false;
  }
}
