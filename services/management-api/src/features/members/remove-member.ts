import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { recordActivity, type Actor } from '../../activity-log.ts';
import { visibleProjects } from '../../auth/visible-projects.ts';
import { endRunTokens } from '../../accounts/end-run-tokens.ts';
import { lockUser } from '../../accounts/lock-user.ts';
import { withdrawInvitesAbove } from '../../accounts/withdraw-invites.ts';
import type { FoundMember } from './find-member.ts';

/**
 * The membership goes, with it what the user was let into of the organization's private projects, the invites and the run tokens
 * that they made; what was current for them here becomes something of another organization of theirs, or nothing
 * (contract/orgs-errors 2.4).
 */
export async function removeMember(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  { id, organizationId, level, user }: FoundMember,
): Promise<void> {
  await lockUser(transaction, user.id);
  const access = await transaction.projectAccess.findMany({
    where: { userId: user.id, project: { organizationId } },
    orderBy: { projectId: 'asc' },
  });
  await transaction.membership.delete({ where: { id } });
  await transaction.projectAccess.deleteMany({ where: { userId: user.id, project: { organizationId } } });
  await withdrawInvitesAbove(transaction, actor, { organizationId, userId: user.id, level: 0 });
  await endRunTokens(transaction, actor, { userId: user.id, organizationId });
  await moveOn(transaction, user, organizationId);
  const before = {
    email: user.email,
    level,
    private_project_access: access.map((one) => ({ id: one.projectId, level: one.level })),
  };
  await recordActivity(transaction, actor, {
    organizationId,
    itemType: 'member',
    itemId: user.uuid,
    activity: 'deleted',
    before,
  });
}

async function moveOn(
  transaction: Prisma.TransactionClient,
  { id, currentOrganizationId, currentProjectId }: FoundMember['user'],
  left: string,
): Promise<void> {
  const isProjectLeft =
    currentProjectId !== null &&
    (await transaction.project.count({ where: { id: currentProjectId, organizationId: left } })) > 0;
  if (currentOrganizationId !== left && !isProjectLeft) return;
  const others = await transaction.membership.findMany({
    where: { userId: id },
    orderBy: [{ joinedAt: 'asc' }, { id: 'asc' }],
  });
  const next = others.find(({ organizationId }) => organizationId === currentOrganizationId) ?? others[0];
  const project =
    next &&
    (await transaction.project.findFirst({
      where: visibleProjects(id, { [next.organizationId]: next.level }),
      orderBy: { id: 'asc' },
    }));
  await transaction.user.update({
    where: { id },
    data: { currentOrganizationId: next?.organizationId ?? null, currentProjectId: project?.id ?? null },
  });
}
