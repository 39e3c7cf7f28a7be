import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma, User } from '@millrace/postgres/generated/client.ts';
import { recordActivity, type Actor } from '../activity-log.ts';
import { endRunTokens } from './end-run-tokens.ts';
import { lockUser } from './lock-user.ts';
import { makeKey, removeKeysOf, type NewKey } from './key-store.ts';
import { withdrawInvitesAbove } from './withdraw-invites.ts';

/** Proof of an account's owner: a mail that they read (true), or the operator's word (null). */
type Proof = true | null;

export interface ClaimedAccount extends NewKey {
  user: User;
  /** All organizations that the account is a member of. */
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
 * Hands an account to the owner of its address. All its keys, run tokens and invites end, it has no current project or organization, and it
 * gets one new key with all scopes. Memberships stay. An owner becomes a plain member where the organization has another owner: an owner
 * cannot leave, and an organization must keep one.
 * The account gets no other key until the transaction ends. The activity log of each of its organizations records the claim.
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

// The organization is not locked here: the holder of that lock may be waiting for this account (`holdMaker`).
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
