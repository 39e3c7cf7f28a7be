import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { Prisma, type OrganizationInvite } from '@millrace/postgres/generated/client.ts';
import { recordActivity, type Actor } from '../activity-log.ts';

/** Deletes invites that nobody has accepted: setups that were handed over by them are with their owners again. */
export async function withdrawInvites(transaction: Prisma.TransactionClient, actor: Actor, invites: readonly OrganizationInvite[]): Promise<void> {
  if (invites.length === 0) return;
  const ids = invites.map(({ id }) => id);
  await transaction.user.updateMany({
    where: { onboardingDelegatedToInviteId: { in: ids }, onboardingDelegationAcceptedAt: null },
    data: { onboardingDelegatedToInviteId: null, onboardingDelegatedToOrganizationId: null, onboardingSkippedAt: null, onboardingSkippedReason: null },
  });
  await transaction.organizationInvite.deleteMany({ where: { id: { in: ids } } });
  for (const invite of invites) {
    await recordActivity(transaction, actor, { organizationId: invite.organizationId, itemType: 'invite', itemId: invite.id, activity: 'deleted', before: describeInvite(invite) });
  }
}

interface Giver {
  organizationId: string;
  userId: number;
  /** His level in the organization from now on; 0: he is no member any more. */
  level: number;
}

/**
 * Withdraws those invites of a user, and those that combine one of theirs (`giversOf`), that give more than they can give now, and the links
 * of others that they copied: otherwise they could come back by one of them.
 */
export async function withdrawInvitesAbove(transaction: Prisma.TransactionClient, actor: Actor, { organizationId, userId, level }: Giver): Promise<void> {
  const projects = level < membershipLevels.admin ? [{ privateProjectAccess: { not: Prisma.DbNull } }] : [];
  const theirs = [{ createdById: userId }, { givenByIds: { has: userId } }];
  const where = { organizationId, AND: [{ OR: theirs }, { OR: [{ level: { gt: level } }, ...projects] }] };
  await withdrawInvites(transaction, actor, await transaction.organizationInvite.findMany({ where, orderBy: { id: 'asc' } }));
  await forgetCopiedLinks(transaction, { organizationId, userId, level });
}

/** Links that he copied to the invites of others open nothing any more either. The log alone knows who copied one. */
async function forgetCopiedLinks(transaction: Prisma.TransactionClient, { organizationId, userId, level }: Giver): Promise<void> {
  const tooHigh = level < membershipLevels.admin ? {} : { level: { gt: level } };
  const copied = await transaction.organizationInvite.findMany({ where: { organizationId, copiedTokenHash: { not: null }, ...tooHigh }, select: { id: true } });
  if (copied.length === 0) return;
  const byHim = { organizationId, actorUserId: userId, itemType: 'invite', itemId: { in: copied.map(({ id }) => id) }, after: { path: ['link_copied'], equals: true } };
  const entries = await transaction.activityLogEntry.findMany({ where: byHim, select: { itemId: true } });
  await transaction.organizationInvite.updateMany({ where: { id: { in: entries.map(({ itemId }) => itemId) } }, data: { copiedTokenHash: null } });
}

/** What the log of changes says of an invite. */
export function describeInvite({ targetEmail, level, firstName, message, privateProjectAccess, isSetupDelegation }: OrganizationInvite): Record<string, unknown> {
  return { target_email: targetEmail, level, first_name: firstName, message, private_project_access: privateProjectAccess, is_setup_delegation: isSetupDelegation };
}
