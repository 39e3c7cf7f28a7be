import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma, PrismaClient, User } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivity } from '../activity-log.ts';
import { visibleProjects } from '../auth/visible-projects.ts';
import { claimAccount } from '../accounts/claim-account.ts';
import { transactionOptions } from '../features/invites/invite-store.ts';
import { lockUser } from '../accounts/lock-user.ts';
import { userRoles } from '../accounts/user-summary.ts';
import { withdrawInvitesAbove } from '../accounts/withdraw-invites.ts';
import { isUniqueViolation } from '../database/prisma-errors.ts';
import { findUserIdByEmail } from '../accounts/user-by-email.ts';
import { requireChoice, requireEmail, requireOrganization, requireText, requireUser } from './checks.ts';

export interface WantedUser {
  organizationId: string;
  email: string;
  firstName: string;
  level: number;
}

interface UserChange {
  newEmail?: string;
  firstName?: string;
  lastName?: string;
  /** Empty: none. */
  role?: string;
  /** Empty: none. */
  codeHostLogin?: string;
  isActive?: boolean;
  isBot?: boolean;
}

/** Operations of the command line on users. */
export function createUserAdmin(prisma: PrismaClient, clock: Clock) {
  return {
    /** The user with exactly this address, in whatever case; null: there is none. */
    async findUser({ email }: { email: string }) {
      const userId = await findUserIdByEmail(prisma, email);
      if (userId === null) return null;
      return {
        userId,
        memberships: await prisma.membership.findMany({
          where: { userId },
          orderBy: [{ joinedAt: 'asc' }, { id: 'asc' }],
        }),
      };
    },

    /** All users, oldest first, with the organizations that they are members of. */
    async listUsers() {
      const users = await prisma.user.findMany({
        orderBy: { id: 'asc' },
        include: { memberships: { orderBy: [{ joinedAt: 'asc' }, { id: 'asc' }] } },
      });
      return users.map(({ id, uuid, email, firstName, lastName, isActive, memberships }) => ({
        userId: id,
        userUuid: uuid,
        email,
        firstName,
        lastName,
        isActive,
        organizations: memberships.map(({ organizationId, level }) => ({ organizationId, level })),
      }));
    },

    /** A user who is a member of the organization, with its first project as the current one. */
    async createUser(user: WantedUser): Promise<{ userId: number; userUuid: string }> {
      await requireOrganization(prisma, user.organizationId);
      if (!(Object.values(membershipLevels) as number[]).includes(user.level)) {
        throw new AppError('invalid_input', {
          attr: 'level',
          detail: `Unknown level ${user.level}: 1 is a member, 8 an administrator, 15 an owner.`,
        });
      }
      const checked = {
        ...user,
        email: requireEmail(user.email),
        firstName: requireText('first_name', user.firstName, 150),
      };
      try {
        return await prisma.$transaction((transaction) => makeMember(transaction, checked, clock.nowMs()));
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw new AppError('unique', {
          attr: 'email',
          detail: `There is a user with the email ${user.email} already.`,
          cause: error,
        });
      }
    },

    /**
     * Hands the account to the owner of its address, on the operator's word: every key of it ends, and so do run tokens
     * and invites that were made by it. The new key's value is in the reply and nowhere else.
     */
    async claimUser({ email }: { email: string }) {
      const { id } = await requireUser(prisma, email);
      const claim = { actor: 'command line', proof: null, label: 'Command line' } as const;
      const { user, value, memberOf } = await prisma.$transaction(
        (transaction) => claimAccount(transaction, id, claim),
        transactionOptions,
      );
      return { userId: id, userUuid: user.uuid, email: user.email, key: value, organizations: memberOf };
    },

    /**
     * The user with this address; fields that are not given stay as they are. Every organization of theirs can read the change.
     * A user who is switched off does not come back by an invite or a copied link: they are withdrawn, as when a member is removed.
     */
    async updateUser({ email, ...wanted }: { email: string } & UserChange) {
      const { id, memberships } = await requireUser(prisma, email);
      const data = checkedChange(wanted);
      try {
        const user = await prisma.$transaction(async (transaction) => {
          await lockUser(transaction, id);
          const before = shown(await transaction.user.findUniqueOrThrow({ where: { id } }));
          const changed = await transaction.user.update({ where: { id }, data });
          for (const organizationId of memberships.length === 0
            ? [null]
            : memberships.map((membership) => membership.organizationId)) {
            await recordActivity(transaction, 'command line', {
              organizationId,
              itemType: 'user',
              itemId: changed.uuid,
              activity: 'updated',
              before,
              after: shown(changed),
            });
            if (wanted.isActive === false && organizationId !== null)
              await withdrawInvitesAbove(transaction, 'command line', { organizationId, userId: id, level: 0 });
          }
          return changed;
        }, transactionOptions);
        const { uuid: userUuid, firstName, lastName, roleAtOrganization, codeHostLogin, isActive, isBot } = user;
        return {
          userId: id,
          userUuid,
          email: user.email,
          firstName,
          lastName,
          roleAtOrganization,
          codeHostLogin,
          isActive,
          isBot,
        };
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw new AppError('unique', {
          attr: 'email',
          detail: `There is a user with the email ${wanted.newEmail} already.`,
          cause: error,
        });
      }
    },
  };
}

async function makeMember(
  transaction: Prisma.TransactionClient,
  user: WantedUser,
  nowMs: number,
): Promise<{ userId: number; userUuid: string }> {
  const { organizationId, email, firstName, level } = user;
  // Nobody has let the user in anywhere yet.
  const project = await transaction.project.findFirst({
    where: visibleProjects(0, { [organizationId]: level }),
    orderBy: { id: 'asc' },
  });
  const uuid = uuidV7(nowMs);
  const memberships = { create: { id: uuidV7(nowMs), organizationId, level } };
  const current = { currentOrganizationId: organizationId, currentProjectId: project?.id ?? null };
  const created = await transaction.user.create({
    data: { uuid, email, firstName, distinctId: uuid, ...current, memberships },
  });
  const after = { email, first_name: firstName, level };
  await recordActivity(transaction, 'command line', {
    organizationId,
    itemType: 'member',
    itemId: uuid,
    activity: 'created',
    after,
  });
  return { userId: created.id, userUuid: uuid };
}

function checkedChange({
  newEmail,
  firstName,
  lastName,
  role,
  codeHostLogin,
  isActive,
  isBot,
}: UserChange): Prisma.UserUpdateInput {
  if (role !== undefined && role !== '')
    requireChoice(
      'role',
      role,
      userRoles.filter((one) => one !== null && one !== ''),
    );
  const textOrNull = (attr: string, text: string, lengthMax: number): string | null =>
    text === '' ? null : requireText(attr, text, lengthMax);
  return {
    // The operator's word, whatever was known of the address before.
    ...(newEmail === undefined ? {} : { email: requireEmail(newEmail), isEmailVerified: null }),
    ...(firstName === undefined ? {} : { firstName: requireText('first_name', firstName, 150) }),
    ...(lastName === undefined ? {} : { lastName: textOrNull('last_name', lastName, 150) ?? '' }),
    ...(role === undefined ? {} : { roleAtOrganization: role === '' ? null : role }),
    ...(codeHostLogin === undefined ? {} : { codeHostLogin: textOrNull('code_host_login', codeHostLogin, 100) }),
    ...(isActive === undefined ? {} : { isActive }),
    ...(isBot === undefined ? {} : { isBot }),
  };
}

/** A user in the activity log. */
function shown(user: User): Record<string, unknown> {
  const { email, firstName, lastName, roleAtOrganization, codeHostLogin, isActive, isBot } = user;
  return {
    email,
    first_name: firstName,
    last_name: lastName,
    role_at_organization: roleAtOrganization,
    code_host_login: codeHostLogin,
    is_active: isActive,
    is_bot: isBot,
  };
}
