import type { Context } from './context.ts';
import { inviteLink } from './invite-link.ts';
import { inviteMail } from './invite-mails.ts';
import { withCreator, type Transaction } from './invite-store.ts';
import type { StoredInvite } from './invite.ts';

type Mailing = Pick<Context, 'prisma' | 'mailer' | 'mailBudget' | 'linkBase' | 'inviteLifeMs' | 'logger'>;

interface Addressed {
  invite: StoredInvite;
  /** Null: no mail is to be sent. */
  token: string | null;
}

/** Counts the mails that are to be sent, in the transaction of their invites. @throws {AppError} throttled: nothing is to be made */
export async function takeInviteMails(
  transaction: Transaction,
  { mailBudget }: Pick<Context, 'mailBudget'>,
  organizationId: string,
  made: readonly Addressed[],
): Promise<void> {
  const addresses = made.filter(({ token }) => token !== null).map(({ invite }) => invite.targetEmail);
  await mailBudget.take(transaction, { organizationId, kind: 'invite', addresses });
}

/**
 * Mails the links, after the commit that created them, and returns the updated invites. A mail that cannot be sent is no
 * error: its invite keeps `emailing_attempt_made: false`, and can be sent again.
 */
export async function sendInvites(
  context: Mailing,
  organizationId: string,
  made: readonly Addressed[],
): Promise<StoredInvite[]> {
  if (made.every(({ token }) => token === null)) return made.map(({ invite }) => invite);
  const { name } = await context.prisma.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { name: true },
  });
  return Promise.all(
    made.map(async ({ invite, token }) => (token === null ? invite : await sendInvite(context, name, invite, token))),
  );
}

async function sendInvite(
  { prisma, mailer, mailBudget, linkBase, inviteLifeMs, logger }: Mailing,
  organizationName: string,
  invite: StoredInvite,
  token: string,
): Promise<StoredInvite> {
  const mail = inviteMail(invite, { organizationName, link: inviteLink(linkBase(), token), lifeMs: inviteLifeMs });
  try {
    await mailer.send(mail);
  } catch (err) {
    logger.error({ err, inviteId: invite.id }, 'the mail of an invite could not be sent');
    await mailBudget.failed(prisma, {
      organizationId: invite.organizationId,
      kind: 'invite',
      address: invite.targetEmail,
    });
    return invite;
  }
  // It may have been accepted or withdrawn while its mail was on the way.
  const [sent] = await prisma.organizationInvite.updateManyAndReturn({
    where: { id: invite.id },
    data: { emailingAttemptMade: true },
    include: withCreator,
  });
  return sent ?? invite;
}
