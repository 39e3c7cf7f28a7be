import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import type { Context } from '../context.ts';
import type { Joined } from './accept.ts';
import { joinedMail } from '../invite-mails.ts';

/** Maximum number of members that are notified, highest levels first. */
const receiversMax = 100;
/** Not marked as unproven: an account that was made by a copied link is in somebody's mailbox who may know nothing of it. */
const proven = [{ isEmailVerified: true }, { isEmailVerified: null }];
/**
 * Share of the mails of a day that notices may use: notices that nobody requested leave the rest for mails that are
 * requested.
 */
const noticesShare = 0.5;

/**
 * Notifies the other members who may know it and whose address is proven, by mail, that somebody has joined. Nobody
 * waits for it, and nothing depends on it: what cannot be sent is logged, and is lost when the process stops first.
 */
export async function notifyMembers(
  { prisma, mailer, mailBudget, logger }: Pick<Context, 'prisma' | 'mailer' | 'mailBudget' | 'logger'>,
  { organization, user }: Joined,
): Promise<void> {
  if (!mailer.isConfigured) return;
  try {
    const { membersCanSeeOrgMembers: areSeen } = await prisma.organization.findUniqueOrThrow({
      where: { id: organization.id },
      select: { membersCanSeeOrgMembers: true },
    });
    const others = await prisma.membership.findMany({
      where: {
        organizationId: organization.id,
        userId: { not: user.id },
        user: { isActive: true, isBot: false, OR: proven },
        ...(!areSeen && { level: { gte: membershipLevels.admin } }),
      },
      include: { user: { select: { email: true } } },
      orderBy: [{ level: 'desc' }, { joinedAt: 'asc' }, { id: 'asc' }],
      take: receiversMax,
    });
    const notified = await mailBudget.takeNotices(
      prisma,
      { organizationId: organization.id, addresses: others.map((other) => other.user.email) },
      noticesShare,
    );
    if (notified.length < others.length)
      logger.warn(
        { organizationId: organization.id, left: others.length - notified.length },
        'members were not notified that somebody has joined: too many mails of their organization',
      );
    for (const address of notified) await mailer.send(joinedMail(address, user, organization.name));
  } catch (err) {
    logger.error({ err, organizationId: organization.id }, 'members could not be notified that somebody has joined');
  }
}
