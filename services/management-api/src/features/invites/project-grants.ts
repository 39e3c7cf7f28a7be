import { AppError } from '@millrace/http/errors/errors.ts';

/** Levels of access, rising: each includes those before it. `none` gives no access. */
export const grantLevels = ['none', 'member', 'admin'] as const;
type GrantLevel = (typeof grantLevels)[number];

/** Grant of one project by an invite. */
export interface ProjectGrant {
  id: number;
  level: GrantLevel;
}

/** Facts for the decision about a grant: a project of the organization, and the inviter's rights in it. */
export interface GrantableProject {
  id: number;
  isPrivate: boolean;
  /** The inviter is the project's own administrator. */
  isAdmin: boolean;
}

const grantsMax = 1000;

/**
 * The grants of a body, in the order given, of each project one: the highest. Pure.
 * @throws {AppError} invalid_input, max_length about `private_project_access` (contract/orgs-errors 2.2)
 */
export function readGrants(items: readonly unknown[]): ProjectGrant[] {
  if (items.length > grantsMax) throw refused(`At most ${grantsMax} projects can be named.`, 'max_length');
  return highestGrants(items.map(readGrant));
}

function readGrant(item: unknown): ProjectGrant {
  if (typeof item !== 'object' || item === null || Array.isArray(item))
    throw refused('Each entry must be an object with the keys id and level.');
  const { id, level } = item as Record<string, unknown>;
  if (id === undefined) throw refused('Each entry needs the id of a project.');
  if (level === undefined) throw refused('Each entry needs a level.');
  if (!Number.isSafeInteger(id)) throw refused('The id of a project must be an integer.');
  if (!(grantLevels as readonly unknown[]).includes(level))
    throw refused(`The level for a project must be one of: ${grantLevels.join(', ')}.`);
  return { id: id as number, level: level as GrantLevel };
}

/** One grant a project: the highest. Pure. */
export function highestGrants(grants: readonly ProjectGrant[]): ProjectGrant[] {
  const highest = new Map<number, ProjectGrant>();
  for (const grant of grants) {
    const known = highest.get(grant.id);
    if (known === undefined || grantLevels.indexOf(grant.level) > grantLevels.indexOf(known.level))
      highest.set(grant.id, grant);
  }
  return [...highest.values()];
}

/**
 * Checks that the inviter may give these grants. The projects must be of the organization. The inviter must administer each private
 * project, and each project for which they grant administration. Pure.
 * @throws {AppError} invalid_input, with one sentence for all reasons, so that it does not tell which projects exist
 */
export function checkGrants(
  grants: readonly ProjectGrant[],
  projects: readonly GrantableProject[],
  isOrganizationAdmin: boolean,
): void {
  for (const { id, level } of grants) {
    const project = projects.find((one) => one.id === id);
    const isFree = project !== undefined && !project.isPrivate && level !== 'admin';
    if (project === undefined || !(isFree || isOrganizationAdmin || project.isAdmin))
      throw refused(`There is no project ${id} that you can give access to.`);
  }
}

function refused(detail: string, code: 'invalid_input' | 'max_length' = 'invalid_input'): AppError {
  return new AppError(code, { attr: 'private_project_access', detail });
}
