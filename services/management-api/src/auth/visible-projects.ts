import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import type { Caller } from './caller.ts';

/**
 * The projects that a user sees who has these levels in these organizations: the same rule as in `authorize`, as a filter.
 * Private projects are visible to administrators and to members with access. Pure.
 */
export function visibleProjects(userId: number, levels: Readonly<Record<string, number>>): Prisma.ProjectWhereInput {
  const memberOf = Object.keys(levels);
  const adminOf = memberOf.filter((id) => (levels[id] ?? 0) >= membershipLevels.admin);
  const isLetIn = { access: { some: { userId, level: { in: ['member', 'admin'] } } } };
  return {
    deletedAt: null,
    organizationId: { in: memberOf },
    OR: [{ accessControl: false }, { organizationId: { in: adminOf } }, isLetIn],
  };
}

/** Projects that both the user and the key may see. Pure. */
export function reachableProjects({
  userId,
  scopedProjects,
  scopedOrganizations,
  levels,
}: Pick<Caller, 'userId' | 'scopedProjects' | 'scopedOrganizations' | 'levels'>): Prisma.ProjectWhereInput {
  const limits = [
    scopedOrganizations.length === 0 ? {} : { organizationId: { in: [...scopedOrganizations] } },
    scopedProjects.length === 0 ? {} : { id: { in: [...scopedProjects] } },
  ];
  return { AND: [visibleProjects(userId, levels), ...limits] };
}
