import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import type { Context } from '../../context.ts';
import type { Joined } from './accept.ts';
import { joinedMail } from './invite-mails.ts';

/** Members of large organizations are not all told: the highest levels first. */
const receiversMax = 100;

/**
 * Tells the other members who may know it, by mail, that somebody has joined. Nobody waits for it, and nothing depends on it: what cannot be
 * sent is logged, and is lost when the process stops first.
 */
export async function tellMembers({ prisma, mailer, logger }: Pick<Context, 'prisma' | 'mailer' | 'logger'>, { organization, user }: Joined): Promise<void> {
  if (!mailer.isConfigured) return;
  try {
    const { membersCanSeeOrgMembers: areSeen } = await prisma.organization.findUniqueOrThrow({ where: { id: organization.id }, select: { membersCanSeeOrgMembers: true } });
    const others = await prisma.membership.findMany({
      where: { organizationId: organization.id, userId: { not: user.id }, user: { isActive: true, isBot: false }, ...(!areSeen && { level: { gte: membershipLevels.admin } }) },
      include: { user: { select: { email: true } } },
      orderBy: [{ level: 'desc' }, { joinedAt: 'asc' }, { id: 'asc' }],
      take: receiversMax,
    });
    for (const { user: receiver } of others) await mailer.send(joinedMail(receiver.email, user, organization.name));
  } catch (err) {
    logger.error({ err, organizationId: organization.id }, 'members could not be told that somebody has joined');
  }
}
