import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { recordActivity, type Actor } from '../../activity-log.ts';
import { hashKey } from '../../auth/key-hash.ts';
import type { StoredInvite } from './invite.ts';
import { newInviteToken } from './invite-link.ts';
import type { GrantableProject } from './project-grants.ts';

export type Transaction = Prisma.TransactionClient;

/** Time limit of a transaction: calls that wait for the same organization wait longer than the library's default. */
export const transactionOptions = { maxWait: 10_000, timeout: 20_000 };

export const withCreator = { createdBy: true } as const;

interface LockedOrganization {
  id: string;
  name: string;
  /** Domains that addresses must be of; null: any. */
  domains: string[] | null;
}

/**
 * Locks an organization until the transaction ends: no other transaction changes its invites or joins it by one.
 * @throws {AppError} not_found
 */
export async function lockOrganization(transaction: Transaction, id: string): Promise<LockedOrganization> {
  const [found] = await transaction.$queryRaw<{ name: string; isEnforced: boolean }[]>`
    SELECT name, enforce_verified_domains AS "isEnforced" FROM organizations WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  if (found === undefined) throw new AppError('not_found', { detail: 'Organization not found.' });
  const verified = found.isEnforced
    ? await transaction.organizationDomain.findMany({ where: { organizationId: id } })
    : null;
  return { id, name: found.name, domains: verified?.map(({ domain }) => domain) ?? null };
}

/**
 * Owner of an address: unknown; a user; an unproven user, who joined by a copied link and has not shown that the address is
 * theirs; a member of the organization.
 */
export type KnownAddress = 'unknown' | 'user' | 'unproven' | 'member';

/** Finds whose the invited address is. */
export async function lookUpAddress(
  transaction: Transaction,
  organizationId: string,
  email: string,
): Promise<KnownAddress> {
  const [found] = await transaction.$queryRaw<{ isMember: boolean; isUnproven: boolean }[]>`
    SELECT EXISTS (SELECT FROM memberships m WHERE m.user_id = u.id AND m.organization_id = ${organizationId}::uuid) AS "isMember",
      u.is_email_verified IS FALSE AND u.is_active AND NOT u.is_bot AS "isUnproven"
    FROM users u WHERE lower(u.email) = lower(${email})`;
  if (found === undefined) return 'unknown';
  if (found.isMember) return 'member';
  return found.isUnproven ? 'unproven' : 'user';
}

/** Filters addresses: those that members of the organization have, in lower case. */
export async function findMemberAddresses(
  transaction: Transaction,
  organizationId: string,
  emails: readonly string[],
): Promise<Set<string>> {
  const found = await transaction.$queryRaw<{ email: string }[]>`
    SELECT lower(u.email) AS email FROM users u JOIN memberships m ON m.user_id = u.id AND m.organization_id = ${organizationId}::uuid
    WHERE lower(u.email) = ANY(${lowered(emails)})`;
  return new Set(found.map(({ email }) => email));
}

const lowered = (emails: readonly string[]): string[] => emails.map((email) => email.toLowerCase());

/** The organization's invites of the addresses, expired ones too. */
export async function findInvitesOf(
  transaction: Transaction,
  organizationId: string,
  emails: readonly string[],
): Promise<StoredInvite[]> {
  const found = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM organization_invites WHERE organization_id = ${organizationId}::uuid AND lower(target_email) = ANY(${lowered(emails)})`;
  if (found.length === 0) return [];
  return transaction.organizationInvite.findMany({
    where: { id: { in: found.map(({ id }) => id) } },
    include: withCreator,
  });
}

/** The organization's projects among the ids, as an inviter (null: the command line) sees them. */
export async function findGrantable(
  transaction: Transaction,
  organizationId: string,
  ids: readonly number[],
  userId: number | null,
): Promise<GrantableProject[]> {
  const possible = ids.filter((id) => id > 0 && id <= 2_147_483_647);
  if (possible.length === 0) return [];
  const projects = await transaction.project.findMany({
    where: { id: { in: possible }, organizationId, deletedAt: null },
    select: { id: true, accessControl: true, access: { where: { userId: userId ?? 0, level: 'admin' } } },
  });
  return projects.map(({ id, accessControl, access }) => ({
    id,
    isPrivate: accessControl,
    isAdmin: access.length > 0,
  }));
}

/**
 * A new secret for the invite's link, in place of the one before: who may join by it is no secret, so that it is written down.
 * @throws {AppError} not_found
 */
export async function renewLink(
  transaction: Transaction,
  actor: Actor,
  id: string,
  kind: 'mailed' | 'copied',
): Promise<{ invite: StoredInvite; token: string }> {
  const token = newInviteToken();
  const [data, after] =
    kind === 'mailed'
      ? [{ mailedTokenHash: hashKey(token) }, { mailed_again: true }]
      : [{ copiedTokenHash: hashKey(token) }, { link_copied: true }];
  const [invite] = await transaction.organizationInvite.updateManyAndReturn({
    where: { id },
    data,
    include: withCreator,
  });
  if (invite === undefined) throw new AppError('not_found');
  await recordActivity(transaction, actor, {
    organizationId: invite.organizationId,
    itemType: 'invite',
    itemId: id,
    activity: 'updated',
    after,
  });
  return { invite, token };
}

/**
 * Invite of the link with this secret, and whether that link was mailed, so that it proves who reads the address; null:
 * there is none.
 */
export async function findByToken(transaction: Pick<Transaction, 'organizationInvite'>, token: string) {
  const hash = hashKey(token);
  const invite = await transaction.organizationInvite.findFirst({
    where: { OR: [{ mailedTokenHash: hash }, { copiedTokenHash: hash }] },
    include: { ...withCreator, organization: { select: { name: true } } },
  });
  return invite && { invite, isMailed: invite.mailedTokenHash === hash };
}
