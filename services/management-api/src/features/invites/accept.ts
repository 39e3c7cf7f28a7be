import { AppError } from '@millrace/http/errors.ts';
import type { PrismaClient, User } from '@millrace/postgres/generated/client.ts';
import type { Caller } from '../../auth/authorize.ts';
import { isExpired, type InviteLife, type StoredInvite } from './invite.ts';
import { isOfDomains, refusalOf } from './invite-rules.ts';
import { findByToken, lockOrganization, lookUpAddress, transactionOptions, type Transaction } from './invite-store.ts';
import { createInvitedUser, joinOrganization } from './join-organization.ts';

/** Who accepts: a user, by one of his keys, or (null) whoever opened the link, who has no account yet and says what he is called. */
export type Acceptor = { caller: Caller } | { caller: null; firstName: string; lastName: string };

/** What came of it. */
export interface Joined {
  organization: { id: string; name: string };
  invite: StoredInvite;
  user: User;
  /** Of a user who was made for it; null: he has keys of his own. */
  key: string | null;
}

/**
 * Accepts the invite whose link has the secret. Of two who do so at once one joins, and for the other the link is not there
 * any more.
 * @throws {AppError} not_found, permission_denied, and the reasons of contract/orgs-errors 2.2 in their order
 */
export function acceptInviteBy(prisma: PrismaClient, token: string, acceptor: Acceptor, life: InviteLife): Promise<Joined> {
  return prisma.$transaction(async (transaction) => {
    const { organizationId } = (await requireByToken(transaction, token)).invite;
    const organization = await lockOrganization(transaction, organizationId);
    // Whoever held the lock before may have accepted it.
    const { invite, isMailed } = await requireByToken(transaction, token);
    if (acceptor.caller !== null) requireReach(acceptor.caller, organizationId);
    const caller = acceptor.caller && (await transaction.user.findUniqueOrThrow({ where: { id: acceptor.caller.userId } }));
    await requireAcceptable(transaction, invite, caller, life);
    if (!isOfDomains(invite.targetEmail, organization.domains)) throw new AppError('permission_denied', { detail: 'This organization takes only addresses of its verified domains.' });
    const { user, key, actor } = await userOf(transaction, invite, acceptor, caller, isMailed, life);
    await joinOrganization(transaction, actor, invite, user, life.nowMs);
    return { organization, invite, user, key };
  }, transactionOptions);
}

async function userOf(transaction: Transaction, invite: StoredInvite, acceptor: Acceptor, caller: User | null, isMailed: boolean, { nowMs }: InviteLife) {
  if (caller !== null && acceptor.caller !== null) return { user: caller, key: null, actor: acceptor.caller };
  const { firstName, lastName } = acceptor as Exclude<Acceptor, { caller: Caller }>;
  const { user, key, keyId } = await createInvitedUser(transaction, invite, { firstName, lastName }, isMailed, nowMs);
  return { user, key, actor: { userId: user.id, keyId } };
}

async function requireByToken(transaction: Transaction, token: string) {
  const found = await findByToken(transaction, token);
  if (found === null) throw new AppError('not_found', { detail: 'There is no invite behind this link any more.' });
  return found;
}

/** A key that is limited opens no organization beyond its limits, and lets nobody into one either. */
function requireReach({ scopedProjects, scopedOrganizations }: Caller, organizationId: string): void {
  const isWithin = scopedProjects.length === 0 && (scopedOrganizations.length === 0 || scopedOrganizations.includes(organizationId));
  if (!isWithin) throw new AppError('permission_denied', { detail: `This API key has no access to organization ${organizationId}.` });
}

async function requireAcceptable(transaction: Transaction, invite: StoredInvite, caller: User | null, life: InviteLife): Promise<void> {
  const address = await lookUpAddress(transaction, invite.organizationId, invite.targetEmail);
  const membership = caller && (await transaction.membership.findFirst({ where: { organizationId: invite.organizationId, userId: caller.id } }));
  const refusal = refusalOf({ targetEmail: invite.targetEmail, isExpired: isExpired(invite, life), caller: caller && { email: caller.email, isMember: membership !== null }, address });
  if (refusal !== undefined) throw new AppError(refusal);
}
