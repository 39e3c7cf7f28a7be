import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { AppError, notFound } from '@millrace/http/errors/errors.ts';
import type { Context } from './context.ts';
import type { InviteLife, StoredInvite } from './invite.ts';
import { checkMayChange } from './invite-rules.ts';
import { withCreator } from './invite-store.ts';
import type { Inviter } from './save-invites.ts';
import type { OrganizationAccess } from '../../auth/granted-access.ts';

interface Call {
  auth: OrganizationAccess;
  context: Context;
}

/** Lifetime of invites, with the time now. */
export function lifeOf({ clock, inviteLifeMs }: Pick<Context, 'clock' | 'inviteLifeMs'>): InviteLife {
  return { nowMs: clock.nowMs(), lifeMs: inviteLifeMs };
}

/** The caller as an inviter. */
export function inviterOf({ auth: { caller, organization, level }, context }: Call): Inviter {
  return {
    organizationId: organization.id,
    actor: caller,
    level,
    life: lifeOf(context),
    canMail: context.mailer.isConfigured,
  };
}

/**
 * Whether plain members may invite, when one calls (contract/orgs-errors 2.2, contract/decisions 20).
 * @throws {AppError} permission_denied
 */
export async function requireMayInvite({ auth: { organization, level }, context }: Call): Promise<void> {
  if (level >= membershipLevels.admin) return;
  const { membersCanInvite } = await context.prisma.organization.findUniqueOrThrow({
    where: { id: organization.id },
    select: { membersCanInvite: true },
  });
  if (!membersCanInvite)
    throw new AppError('permission_denied', { detail: 'In this organization only administrators can invite.' });
}

/** The invite of the path. @throws {AppError} not_found: none, or of another organization */
export async function findInvite({ params, auth, context }: Call & { params: { id: string } }): Promise<StoredInvite> {
  const invite = await context.prisma.organizationInvite.findFirst({
    where: { id: params.id, organizationId: auth.organization.id },
    include: withCreator,
  });
  if (invite === null) throw notFound('This organization has no invite with the id', params.id);
  return invite;
}

/** The invite of the path, for a caller who may change it. @throws {AppError} not_found, permission_denied */
export async function findOwnInvite(call: Call & { params: { id: string } }): Promise<StoredInvite> {
  const invite = await findInvite(call);
  checkMayChange(invite, { level: call.auth.level, userId: call.auth.caller.userId });
  return invite;
}
