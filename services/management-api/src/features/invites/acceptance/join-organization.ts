import { AppError } from '@millrace/http/errors/errors.ts';
import type { User } from '@millrace/postgres/generated/client.ts';
import { randomToken, uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivity, type Actor } from '../../../activity-log.ts';
import { hashKey, maskKey } from '../../../auth/key-hash.ts';
import { visibleProjects } from '../../../auth/visible-projects.ts';
import { isUniqueViolation } from '../../../database/prisma-errors.ts';
import { describeInvite } from '../../../accounts/withdraw-invites.ts';
import { grantsOf, type StoredInvite } from '../invite.ts';
import { findInvitesOf, type Transaction } from '../invite-store.ts';

/** Label of the key of a user who joined by the form. */
export const joinedKeyLabel = 'Made by joining';

/** A user who did not exist before, and the key with which they call; it is stored nowhere. */
export interface NewUser {
  user: User;
  key: string;
  keyId: string;
}

/**
 * Creates a user with the invited address. A mailed link proves the address, and the new key gives access to every
 * organization that the user will join. A copied link proves nothing, because another person may hold it: the new key gives
 * access to this organization only.
 * @throws {AppError} account_exists when another request was faster
 */
export async function createInvitedUser(
  transaction: Transaction,
  invite: StoredInvite,
  names: { firstName: string; lastName: string },
  isMailed: boolean,
  nowMs: number,
): Promise<NewUser> {
  const uuid = uuidV7(nowMs);
  const user = await orAccountExists(
    transaction.user.create({
      data: {
        uuid,
        email: invite.targetEmail,
        ...names,
        distinctId: uuid,
        isEmailVerified: isMailed,
        createdAt: new Date(nowMs),
      },
    }),
  );
  const key = randomToken('phx_', 35);
  const limits = isMailed ? [] : [invite.organizationId];
  const data = {
    id: randomToken('', 12),
    userId: user.id,
    label: joinedKeyLabel,
    secureValue: hashKey(key),
    maskValue: maskKey(key),
    scopes: ['*'],
    scopedOrganizations: limits,
  };
  const { id: keyId } = await transaction.personalApiKey.create({ data });
  const actor = { userId: user.id, keyId };
  const { organizationId } = invite;
  await recordActivity(transaction, actor, {
    organizationId,
    itemType: 'user',
    itemId: uuid,
    activity: 'created',
    after: { email: user.email, first_name: user.firstName, last_name: user.lastName },
  });
  const after = { label: data.label, mask_value: data.maskValue, scopes: data.scopes, scoped_organizations: limits };
  await recordActivity(transaction, actor, {
    organizationId,
    itemType: 'personal_api_key',
    itemId: keyId,
    activity: 'created',
    after,
  });
  return { user, key, keyId };
}

async function orAccountExists(creating: Promise<User>): Promise<User> {
  try {
    return await creating;
  } catch (error) {
    if (isUniqueViolation(error)) throw new AppError('account_exists', { cause: error });
    throw error;
  }
}

/**
 * Writes of accepting (contract/orgs-errors 2.2): the membership, the grants of projects, an accepted delegation; all
 * invites of the address in this organization are removed.
 */
export async function joinOrganization(
  transaction: Transaction,
  actor: Actor,
  invite: StoredInvite,
  user: User,
  nowMs: number,
): Promise<void> {
  const { organizationId, level } = invite;
  const now = new Date(nowMs);
  await transaction.membership.create({
    data: { id: uuidV7(nowMs), organizationId, userId: user.id, level, joinedAt: now, updatedAt: now },
  });
  const granted = await grantProjects(transaction, invite, user.id);
  await chooseCurrent(transaction, invite, user);
  await transaction.user.updateMany({
    where: { onboardingDelegatedToInviteId: invite.id },
    data: { onboardingDelegationAcceptedAt: now },
  });
  const invites = await findInvitesOf(transaction, organizationId, [invite.targetEmail]);
  await transaction.organizationInvite.deleteMany({ where: { id: { in: invites.map(({ id }) => id) } } });
  await recordActivity(transaction, actor, {
    organizationId,
    itemType: 'invite',
    itemId: invite.id,
    activity: 'accepted',
    before: describeInvite(invite),
  });
  await recordActivity(transaction, actor, {
    organizationId,
    itemType: 'member',
    itemId: user.uuid,
    activity: 'created',
    after: { email: user.email, level, private_project_access: granted },
  });
}

/** Projects of the invite that are still there. */
async function grantProjects(transaction: Transaction, invite: StoredInvite, userId: number) {
  const grants = grantsOf(invite).filter(({ level }) => level !== 'none');
  const there = await transaction.project.findMany({
    where: { id: { in: grants.map(({ id }) => id) }, organizationId: invite.organizationId, deletedAt: null },
    select: { id: true },
  });
  const granted = grants.filter(({ id }) => there.some((project) => project.id === id));
  const projectIds = granted.map(({ id }) => id);
  await transaction.projectAccess.deleteMany({ where: { userId, projectId: { in: projectIds } } });
  await transaction.projectAccess.createMany({
    data: granted.map(({ id, level }) => ({ projectId: id, userId, level })),
  });
  return granted;
}

/** A user who is nowhere yet is here from now on, in the first project that they see. */
async function chooseCurrent(
  transaction: Transaction,
  { organizationId, level }: StoredInvite,
  user: User,
): Promise<void> {
  if (user.currentOrganizationId !== null) return;
  const project = await transaction.project.findFirst({
    where: visibleProjects(user.id, { [organizationId]: level }),
    orderBy: { id: 'asc' },
  });
  await transaction.user.update({
    where: { id: user.id },
    data: { currentOrganizationId: organizationId, currentProjectId: project?.id ?? null },
  });
}
