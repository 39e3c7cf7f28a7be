import { AppError } from '@millrace/http/errors/errors.ts';
import type { PrismaClient, User } from '@millrace/postgres/generated/client.ts';
import { findUserIdByEmail } from '../../../accounts/user-by-email.ts';
import { claimAccount, type ClaimedAccount } from '../../../accounts/claim-account.ts';
import type { Caller } from '../../../auth/caller.ts';
import { isExpired, type InviteLife, type StoredInvite } from '../invite.ts';
import { isOfDomains, acceptErrorOf } from '../invite-rules.ts';
import {
  findByToken,
  lockOrganization,
  lookUpAddress,
  transactionOptions,
  type KnownAddress,
  type Transaction,
} from '../invite-store.ts';
import { createInvitedUser, joinedKeyLabel, joinOrganization } from './join-organization.ts';

/** The person who accepts: a user with a key, or (null) a person without an account who opened the link and gives their name. */
export type Acceptor = { caller: Caller } | { caller: null; firstName: string; lastName: string };

/** Outcome of accepting. */
export interface Joined {
  organization: { id: string; name: string };
  invite: StoredInvite;
  user: User;
  /** New key of a user who was made for the invite, or who claimed an account; null: the user has keys already. */
  key: string | null;
  /** Organizations that the claimed account had been brought into; null: no account was claimed. */
  claimed: ClaimedAccount['memberOf'] | null;
}

/**
 * Accepts the invite whose link has the secret. When two do so at once, one joins, and for the other the link is not there
 * any more.
 * @throws {AppError} not_found, permission_denied, and the reasons of contract/orgs-errors 2.2 in their order
 */
export function acceptInviteBy(
  prisma: PrismaClient,
  token: string,
  acceptor: Acceptor,
  life: InviteLife,
): Promise<Joined> {
  return prisma.$transaction(async (transaction) => {
    const { organizationId } = (await requireByToken(transaction, token)).invite;
    const organization = await lockOrganization(transaction, organizationId);
    // Whoever held the lock before may have accepted it.
    const { invite, isMailed } = await requireByToken(transaction, token);
    if (acceptor.caller !== null) requireReach(acceptor.caller, organizationId);
    const caller =
      acceptor.caller && (await transaction.user.findUniqueOrThrow({ where: { id: acceptor.caller.userId } }));
    const address = await requireAcceptable(transaction, { invite, isMailed }, caller, life);
    if (!isOfDomains(invite.targetEmail, organization.domains))
      throw new AppError('permission_denied', {
        detail: 'This organization accepts only email addresses of its verified domains.',
      });
    const { user, key, claimed, actor } = await userOf(
      transaction,
      { invite, isMailed, address },
      acceptor,
      caller,
      life,
    );
    await joinOrganization(transaction, actor, invite, user, life.nowMs);
    return { organization, invite, user, key, claimed };
  }, transactionOptions);
}

interface OpenedLink {
  invite: StoredInvite;
  /** Whoever has the link reads the address. */
  isMailed: boolean;
}

async function userOf(
  transaction: Transaction,
  link: OpenedLink & { address: KnownAddress },
  acceptor: Acceptor,
  caller: User | null,
  life: InviteLife,
) {
  if (caller !== null && acceptor.caller !== null)
    return { user: await proven(transaction, caller, link), key: null, claimed: null, actor: acceptor.caller };
  const { firstName, lastName } = acceptor as Exclude<Acceptor, { caller: Caller }>;
  const names = { firstName, lastName };
  const { invite, isMailed, address } = link;
  const accountId = address === 'unproven' ? await findUserIdByEmail(transaction, invite.targetEmail) : null;
  if (accountId === null) {
    const { user, key, keyId } = await createInvitedUser(transaction, invite, names, isMailed, life.nowMs);
    return { user, key, claimed: null, actor: { userId: user.id, keyId } };
  }
  const claim = { actor: { address: invite.targetEmail }, proof: true, names, label: joinedKeyLabel } as const;
  const { user, value, key, memberOf } = await claimAccount(transaction, accountId, claim);
  return { user, key: value, claimed: memberOf, actor: { userId: user.id, keyId: key.id } };
}

/** Marks the address as proven: a caller with a key, and with a link that was mailed to the key's user, reads that user's address. */
async function proven(transaction: Transaction, user: User, { isMailed }: OpenedLink): Promise<User> {
  if (!isMailed || user.isEmailVerified !== false) return user;
  return await transaction.user.update({ where: { id: user.id }, data: { isEmailVerified: true } });
}

async function requireByToken(transaction: Transaction, token: string) {
  const found = await findByToken(transaction, token);
  if (found === null) throw new AppError('not_found', { detail: 'This invite link is no longer valid.' });
  return found;
}

/** A limited key cannot be used to join an organization beyond its limits. */
function requireReach({ scopedProjects, scopedOrganizations }: Caller, organizationId: string): void {
  const isWithin =
    scopedProjects.length === 0 && (scopedOrganizations.length === 0 || scopedOrganizations.includes(organizationId));
  if (!isWithin)
    throw new AppError('permission_denied', {
      detail: `This API key has no access to organization ${organizationId}.`,
    });
}

async function requireAcceptable(
  transaction: Transaction,
  { invite, isMailed }: OpenedLink,
  caller: User | null,
  life: InviteLife,
): Promise<KnownAddress> {
  // Two links of one account are not accepted at once: the second would claim what the first has just proven.
  await transaction.$queryRaw`SELECT FROM users WHERE lower(email) = lower(${invite.targetEmail}) FOR NO KEY UPDATE`;
  const address = await lookUpAddress(transaction, invite.organizationId, invite.targetEmail);
  const membership =
    caller &&
    (await transaction.membership.findFirst({ where: { organizationId: invite.organizationId, userId: caller.id } }));
  const errorCode = acceptErrorOf({
    targetEmail: invite.targetEmail,
    isExpired: isExpired(invite, life),
    isMailed,
    caller: caller && { email: caller.email, isMember: membership !== null },
    address,
  });
  if (errorCode !== undefined) throw new AppError(errorCode);
  return address;
}
