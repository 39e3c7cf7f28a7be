import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { visibleProjects } from '../../auth/visible-projects.ts';
import { readEnd } from '../../auth/ends.ts';
import type { KeyPower } from './key-power.ts';

/** Fields of a body about a key's limits. */
interface LimitFields {
  scopes?: readonly string[];
  scoped_teams?: readonly number[] | null;
  scoped_organizations?: readonly string[] | null;
  expires_at?: string | null;
}

/** Reads the limits of a key from a body; missing fields are as in `basis`. Pure. @throws {AppError} invalid_input */
export function wantedPower(body: LimitFields, basis: KeyPower, nowMs: number): KeyPower {
  const { scopes, scoped_teams: teams, scoped_organizations: organizations, expires_at: end } = body;
  return {
    scopes: scopes === undefined ? basis.scopes : [...new Set(scopes)],
    scopedTeams: teams === undefined ? basis.scopedTeams : [...new Set(teams)],
    scopedOrganizations:
      organizations === undefined
        ? basis.scopedOrganizations
        : [...new Set(organizations?.map((id) => id.toLowerCase()))],
    expiresAt: end === undefined ? basis.expiresAt : readEnd('key', end, nowMs),
  };
}

/**
 * Limits name only what the user can see.
 * @throws {AppError} does_not_exist: one sentence for what is not there, not the user's, and private
 */
export async function requireVisible(
  transaction: Prisma.TransactionClient,
  userId: number,
  { scopedTeams, scopedOrganizations }: KeyPower,
): Promise<void> {
  if (scopedTeams.length === 0 && scopedOrganizations.length === 0) return;
  const memberships = await transaction.membership.findMany({ where: { userId } });
  const strange = scopedOrganizations.find((id) => !memberships.some(({ organizationId }) => organizationId === id));
  if (strange !== undefined) throw unknown('scoped_organizations', `organization ${strange}`);
  const levels = Object.fromEntries(memberships.map(({ organizationId, level }) => [organizationId, level]));
  const projects = await transaction.project.findMany({
    where: { id: { in: [...scopedTeams] }, AND: visibleProjects(userId, levels) },
    select: { id: true },
  });
  const hidden = scopedTeams.find((id) => !projects.some((project) => project.id === id));
  if (hidden !== undefined) throw unknown('scoped_teams', `project ${hidden}`);
}

function unknown(attr: string, thing: string): AppError {
  return new AppError('does_not_exist', { attr, detail: `You have no access to ${thing}, or it does not exist.` });
}
