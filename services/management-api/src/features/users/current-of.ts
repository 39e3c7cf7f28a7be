import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { reachableProjects } from '../../auth/visible-projects.ts';
import type { Caller } from '../../auth/caller.ts';

interface Wanted {
  organization: string | undefined;
  project: number | undefined;
}

interface Current {
  currentOrganizationId?: string;
  currentProjectId?: number | null;
}

/**
 * Resolves the new current organization and project: a project brings its organization; an organization alone brings
 * its first project that the user may see, unless what is current is of it. A key sets nothing that it has no access
 * to.
 * @throws {AppError} does_not_exist: not there, or out of the user's or the key's reach
 */
export async function currentOf(
  transaction: Prisma.TransactionClient,
  caller: Caller,
  { organization, project }: Wanted,
): Promise<Current> {
  if (project === undefined && organization === undefined) return {};
  const memberships = await transaction.membership.findMany({ where: { userId: caller.userId } });
  const levels = Object.fromEntries(memberships.map(({ organizationId, level }) => [organizationId, level]));
  const reachable = reachableProjects({ ...caller, levels });
  if (project !== undefined) {
    const found = await transaction.project.findFirst({ where: { id: project, ...reachable } });
    const isOfOther = organization !== undefined && found?.organizationId !== organization.toLowerCase();
    if (found === null || isOfOther)
      throw new AppError('does_not_exist', {
        attr: 'set_current_team',
        detail: 'There is no such project, or this key has no access to it.',
      });
    return { currentOrganizationId: found.organizationId, currentProjectId: found.id };
  }
  const id = organization?.toLowerCase() ?? '';
  const isLimited =
    caller.scopedProjects.length > 0 ||
    (caller.scopedOrganizations.length > 0 && !caller.scopedOrganizations.includes(id));
  if (isLimited || levels[id] === undefined) {
    throw new AppError('does_not_exist', {
      attr: 'set_current_organization',
      detail: 'There is no such organization, or this key has no access to it.',
    });
  }
  const projects = { where: { organizationId: id, ...reachable }, orderBy: { id: 'asc' } } as const;
  const stays = await transaction.project.findFirst({
    where: { ...projects.where, usersHere: { some: { id: caller.userId } } },
  });
  return {
    currentOrganizationId: id,
    currentProjectId: (stays ?? (await transaction.project.findFirst(projects)))?.id ?? null,
  };
}
