import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import type { Context } from '../context.ts';
import type { Joined } from './accept.ts';
import { joinedMail } from '../invite-mails.ts';

/** Maximum number of members that are notified, highest levels first. */
const receiversMax = 100;
/** Members with a proven address. The owner of an unproven address may know nothing of the account. */
const proven = [{ isEmailVerified: true }, { isEmailVerified: null }];
/**
 * Share of a day's mails for notices; the rest is for mails that callers request.
 */
const noticesShare = 0.5;

/**
 * Mails the other members that a user has joined: those who may see members, with a proven address. The request does not
 * wait for the mails. A mail that cannot be sent is logged; mails are lost when the process stops first.
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
