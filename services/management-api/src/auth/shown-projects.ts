import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { visibleProjects } from './visible-projects.ts';
import type { OrganizationAccess } from './granted-access.ts';

/** Projects that may be named to a caller. */
export type ShownProjects = Pick<ReadonlySet<number>, 'has'>;

const all: ShownProjects = { has: () => true };

/**
 * Filters ids of projects of the caller's organization: those that the caller may read. Private projects without a
 * grant do not exist for plain members, wherever they are named.
 */
export async function shownProjects(
  prisma: Pick<PrismaClient, 'project'>,
  { organization, caller, level }: OrganizationAccess,
  ids: readonly number[],
): Promise<ShownProjects> {
  if (level >= membershipLevels.admin) return all;
  const possible = [...new Set(ids)].filter((id) => Number.isInteger(id) && id > 0 && id <= 2_147_483_647);
  if (possible.length === 0) return new Set();
  const where = { AND: [{ id: { in: possible } }, visibleProjects(caller.userId, { [organization.id]: level })] };
  return new Set((await prisma.project.findMany({ where, select: { id: true } })).map(({ id }) => id));
}
