import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma, PrismaClient } from '@millrace/postgres/generated/client.ts';
import { findMember, memberOf, type FoundMember, type MemberCall } from './find-member.ts';
import { touchError, type Encounter, type MemberError } from './member-rules.ts';
import type { OrganizationAccess } from '../../auth/granted-access.ts';

/** Caller and member as they are while the organization is locked. */
export interface LockedMembers extends Encounter {
  member: FoundMember;
}

/** Time limit of a transaction: calls that wait for the same organization wait longer than the library's default. */
const transactionOptions = { maxWait: 10_000, timeout: 20_000 };

/** The member of the path, when the caller may touch them. @throws {AppError} not_found, permission_denied */
export async function findTouchable(call: MemberCall): Promise<FoundMember> {
  const member = await findMember(call);
  throwIf(
    touchError({
      requesterLevel: call.auth.level,
      targetLevel: member.level,
      isSelf: member.userId === call.auth.caller.userId,
    }),
  );
  return member;
}

/** @throws {AppError} with the code of `error` */
export function throwIf(error: MemberError | undefined): void {
  if (error !== undefined) throw new AppError(error.code, { detail: error.detail });
}

/**
 * Runs the work while no other transaction changes members of the organization, with the current levels. Of two owners who
 * remove each other's level at once, the second one is refused, because they are no owner any more.
 * @throws {AppError} not_found when the member left meanwhile; permission_denied when the caller did; and what the work throws
 */
export async function whileLocked<Result>(
  prisma: PrismaClient,
  { organization, caller }: OrganizationAccess,
  { user: { uuid } }: FoundMember,
  work: (transaction: Prisma.TransactionClient, locked: LockedMembers) => Promise<Result>,
): Promise<Result> {
  return await prisma.$transaction(async (transaction) => {
    await transaction.$queryRaw`SELECT id::text FROM organizations WHERE id = ${organization.id}::uuid FOR NO KEY UPDATE`;
    const requester = await memberOf(transaction, organization.id, caller.userUuid);
    const member = await memberOf(transaction, organization.id, uuid);
    if (requester === null) throw new AppError('permission_denied');
    if (member === null) throw new AppError('not_found');
    const encounter = {
      requesterLevel: requester.level,
      targetLevel: member.level,
      isSelf: member.userId === requester.userId,
    };
    return await work(transaction, { member, ...encounter });
  }, transactionOptions);
}
