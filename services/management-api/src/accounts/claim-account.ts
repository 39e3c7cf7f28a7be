import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma, User } from '@millrace/postgres/generated/client.ts';
import { recordActivity, type Actor } from '../activity-log.ts';
import { endRunTokens } from './end-run-tokens.ts';
import { lockUser } from './lock-user.ts';
import { makeKey, removeKeysOf, type NewKey } from './key-store.ts';
import { withdrawInvitesAbove } from './withdraw-invites.ts';

/** How an account is known to be somebody's: by a mail that they read (true), or by the operator's word (null). */
type Proof = true | null;

export interface ClaimedAccount extends NewKey {
  user: User;
  /** Organizations that the account is a member of, whoever brought it there. */
  memberOf: { id: string; name: string }[];
}

interface Claim {
  actor: Actor;
  proof: Proof;
  /** Names of the user from now on; undefined: as before. */
  names?: { firstName: string; lastName: string };
  label: string;
}

/**
 * Hands an account to the owner of its address: every key of it and every run token and invite that was made by it ends, nothing is
 * current for it, and it has one new key, for everything. Memberships stay, at the level of a member where somebody else is an owner: an owner
 * cannot leave, and an organization keeps one.
 * Until the transaction ends nobody makes another key of the account. Each organization that it is in can read of it.
 * @throws {AppError} account_exists: by a mail, of an account that is proven
 */
export async function claimAccount(
  transaction: Prisma.TransactionClient,
  userId: number,
  { actor, proof, names = undefined, label }: Claim,
): Promise<ClaimedAccount> {
  await lockUser(transaction, userId);
  const before = await transaction.user.findUniqueOrThrow({ where: { id: userId } });
  // Somebody else may have proven it meanwhile: a mail takes nothing from them.
  if (proof === true && before.isEmailVerified !== false) throw new AppError('account_exists');
  await removeKeysOf(transaction, actor, userId);
  await endRunTokens(transaction, actor, { userId });
  const memberships = await transaction.membership.findMany({
    where: { userId },
    include: { organization: true },
    orderBy: [{ joinedAt: 'asc' }, { id: 'asc' }],
  });
  const data = {
    ...names,
    isEmailVerified: proof,
    roleAtOrganization: null,
    currentOrganizationId: null,
    currentProjectId: null,
  };
  const user = await transaction.user.update({ where: { id: userId }, data });
  for (const { id, organizationId, level } of memberships) {
    if (level === membershipLevels.owner)
      await giveUpOwnership(transaction, actor, { id, organizationId, itemId: user.uuid });
    await withdrawInvitesAbove(transaction, actor, { organizationId, userId, level: 0 });
    await recordActivity(transaction, actor, {
      organizationId,
      itemType: 'user',
      itemId: user.uuid,
      activity: 'updated',
      before: shown(before),
      after: { ...shown(user), claimed: true },
    });
  }
  const made = await makeKey(transaction, actor, {
    userId,
    label,
    scopes: ['*'],
    scopedTeams: [],
    scopedOrganizations: [],
    expiresAt: null,
  });
  return { ...made, user, memberOf: memberships.map(({ organization: { id, name } }) => ({ id, name })) };
}

// The organization is not locked for it: whoever holds that lock may be waiting for this account (`holdMaker`).
async function giveUpOwnership(
  transaction: Prisma.TransactionClient,
  actor: Actor,
  { id, organizationId, itemId }: { id: string; organizationId: string; itemId: string },
): Promise<void> {
  const others = await transaction.membership.count({
    where: { organizationId, level: membershipLevels.owner, id: { not: id } },
  });
  if (others === 0) return;
  await transaction.membership.update({ where: { id }, data: { level: membershipLevels.member } });
  const levels = { before: { level: membershipLevels.owner }, after: { level: membershipLevels.member } };
  await recordActivity(transaction, actor, {
    organizationId,
    itemType: 'member',
    itemId,
    activity: 'updated',
    ...levels,
  });
}

function shown({ firstName, lastName, isEmailVerified }: User): Record<string, unknown> {
  return { first_name: firstName, last_name: lastName, is_email_verified: isEmailVerified };
}
