import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { AppError } from '@millrace/http/errors.ts';
import type { Prisma, PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivity } from './activity-log.ts';
import { requireEmail, requireOrganization, requireText } from './admin-checks.ts';
import { isUniqueViolation } from './prisma-errors.ts';

export interface WantedUser {
  organizationId: string;
  email: string;
  firstName: string;
  level: number;
}

/** What the command line does to users. */
export function createUserAdmin(prisma: PrismaClient, clock: Clock) {
  return {
    /** A user who is a member of the organization; its first project is what is current for him. */
    async createUser(user: WantedUser): Promise<{ userId: number; userUuid: string }> {
      await requireOrganization(prisma, user.organizationId);
      if (!(Object.values(membershipLevels) as number[]).includes(user.level)) {
        throw new AppError('invalid_input', { attr: 'level', detail: `Unknown level ${user.level}: 1 is a member, 8 an administrator, 15 an owner.` });
      }
      const checked = { ...user, email: requireEmail(user.email), firstName: requireText('first_name', user.firstName, 150) };
      try {
        return await prisma.$transaction((transaction) => makeMember(transaction, checked, clock.nowMs()));
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw new AppError('unique', { attr: 'email', detail: `There is a user with the email ${user.email} already.`, cause: error });
      }
    },
  };
}

async function makeMember(transaction: Prisma.TransactionClient, user: WantedUser, nowMs: number): Promise<{ userId: number; userUuid: string }> {
  const { organizationId, email, firstName, level } = user;
  const project = await transaction.project.findFirst({ where: { organizationId, deletedAt: null }, orderBy: { id: 'asc' } });
  const uuid = uuidV7(nowMs);
  const memberships = { create: { id: uuidV7(nowMs), organizationId, level } };
  const current = { currentOrganizationId: organizationId, currentProjectId: project?.id ?? null };
  const created = await transaction.user.create({ data: { uuid, email, firstName, distinctId: uuid, ...current, memberships } });
  const after = { email, first_name: firstName, level };
  await recordActivity(transaction, 'command line', { organizationId, itemType: 'member', itemId: uuid, activity: 'created', after });
  return { userId: created.id, userUuid: uuid };
}
