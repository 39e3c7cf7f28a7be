import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { OrganizationAccess } from './granted-access.ts';

/** True for plain members of an organization whose members see only themselves (contract/decisions 20). */
export async function onlySelf(
  prisma: Pick<PrismaClient, 'organization'>,
  { organization, level }: OrganizationAccess,
): Promise<boolean> {
  if (level >= membershipLevels.admin) return false;
  const found = await prisma.organization.findUnique({
    where: { id: organization.id },
    select: { membersCanSeeOrgMembers: true },
  });
  return found?.membersCanSeeOrgMembers === false;
}
