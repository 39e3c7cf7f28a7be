import type { MembershipLevel } from '@millrace/contracts/membership-levels.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivity, userIdOf, type Actor } from '../../activity-log.ts';
import { hashKey } from '../../auth/key-hash.ts';
import { holdMaker } from '../../accounts/hold-maker.ts';
import { refuseMoreInvites } from '../../accounts/maker-limits.ts';
import { describeInvite, withdrawInvites } from '../../accounts/withdraw-invites.ts';
import { grantsOf, isExpired, type InviteLife, type StoredInvite } from './invite.ts';
import type { WantedInvite } from './invite-body.ts';
import { newInviteToken } from './invite-link.ts';
import { checkInvite, combineInvites, giversOf } from './invite-rules.ts';
import {
  findGrantable,
  findInvitesOf,
  findMemberAddresses,
  lockOrganization,
  withCreator,
  type Transaction,
} from './invite-store.ts';

/** The inviter and the organization. */
export interface Inviter {
  organizationId: string;
  actor: Actor;
  level: number;
  life: InviteLife;
  /** True when mail is configured. */
  canMail: boolean;
}

/** An invite that was made, and the secret for its mail; null: none is to be sent. */
export interface MadeInvite {
  invite: StoredInvite;
  wanted: WantedInvite;
  token: string | null;
}

/**
 * Makes the invites, or none of them: all are checked before the first is made, and one that invites an address again takes
 * the place of those before it. Two calls about one organization wait for each other.
 * @throws {AppError} of the first that may not be; `attr` begins with its place when there is a list of them (`isList`)
 */
export async function saveInvites(
  transaction: Transaction,
  inviter: Inviter,
  wanted: readonly WantedInvite[],
  { isList = false, activityDetails = {} } = {},
): Promise<MadeInvite[]> {
  const organization = await lockOrganization(transaction, inviter.organizationId);
  const userId = userIdOf(inviter.actor);
  const level = await levelNow(transaction, inviter);
  await refuseMoreInvites(transaction, { organizationId: organization.id, userId, more: wanted.length });
  const projects = await findGrantable(
    transaction,
    organization.id,
    wanted.flatMap(({ grants }) => grants.map(({ id }) => id)),
    userId,
  );
  const addresses = wanted.map(({ targetEmail }) => targetEmail);
  const members = await findMemberAddresses(transaction, organization.id, addresses);
  for (const [index, one] of wanted.entries()) {
    const facts = {
      inviterLevel: level,
      projects,
      domains: organization.domains,
      isMember: members.has(one.targetEmail.toLowerCase()),
    };
    atIndex(isList ? index : null, () => checkInvite(one, facts));
  }
  const there = Map.groupBy(await findInvitesOf(transaction, organization.id, addresses), ({ targetEmail }) =>
    targetEmail.toLowerCase(),
  );
  const made: MadeInvite[] = [];
  for (const one of wanted) {
    const address = one.targetEmail.toLowerCase();
    const last = await saveInvite(transaction, { ...inviter, level }, one, there.get(address) ?? [], activityDetails);
    there.set(address, [last.invite]);
    made.push(last);
  }
  // An invite that another of the list has replaced is void, and its link is not mailed.
  const stays = new Set([...there.values()].flatMap((invites) => invites.map(({ id }) => id)));
  return made.map((one) => (stays.has(one.invite.id) ? one : { ...one, token: null }));
}

/**
 * Level of the inviter now: they may have been removed or lowered while waiting for the lock.
 * @throws {AppError} permission_denied, authentication_failed
 */
async function levelNow(transaction: Transaction, { organizationId, level, actor }: Inviter): Promise<number> {
  if (typeof actor === 'string' || 'address' in actor) return level;
  return Math.min(level, await holdMaker(transaction, actor, organizationId));
}

/** `earlier`: the invites of the address that are there. */
async function saveInvite(
  transaction: Transaction,
  inviter: Inviter,
  wanted: WantedInvite,
  earlier: readonly StoredInvite[],
  activityDetails: Record<string, unknown>,
): Promise<MadeInvite> {
  const { organizationId, actor, life, canMail } = inviter;
  const pending = wanted.combine ? earlier.filter((invite) => !isExpired(invite, life)) : [];
  const taken = pending.map((invite) => ({
    ...invite,
    level: invite.level as MembershipLevel,
    grants: grantsOf(invite),
  }));
  const given = combineInvites(wanted, taken);
  await withdrawInvites(transaction, actor, earlier);
  const token = canMail && wanted.sendEmail ? newInviteToken() : null;
  const invite = await transaction.organizationInvite.create({
    data: {
      id: uuidV7(life.nowMs),
      organizationId,
      targetEmail: wanted.targetEmail,
      firstName: wanted.firstName,
      level: given.level,
      message: wanted.message,
      // An empty list is stored as none (contract/orgs-errors 2.2).
      ...(given.grants.length > 0 && { privateProjectAccess: given.grants as unknown as Prisma.InputJsonArray }),
      isSetupDelegation: wanted.isSetupDelegation,
      mailedTokenHash: token && hashKey(token),
      createdById: userIdOf(actor),
      givenByIds: giversOf(inviter.level, given, taken),
      createdAt: new Date(life.nowMs),
      updatedAt: new Date(life.nowMs),
    },
    include: withCreator,
  });
  await recordActivity(transaction, actor, {
    organizationId,
    itemType: 'invite',
    itemId: invite.id,
    activity: 'created',
    after: { ...describeInvite(invite), ...activityDetails },
  });
  return { invite, wanted, token };
}

/** Runs a check about one of a list: what it refuses is about a field of that one. */
export function atIndex<Result>(index: number | null, check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (
      index === null ||
      !(error instanceof AppError) ||
      error.details.attr === undefined ||
      error.details.attr === null
    )
      throw error;
    throw new AppError(error.code, { ...error.details, attr: `${index}__${error.details.attr}` });
  }
}
