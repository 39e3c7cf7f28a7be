import { notFound } from '@millrace/http/errors/errors.ts';
import type { Membership, PrismaClient, User } from '@millrace/postgres/generated/client.ts';
import type { Context } from '../../context.ts';
import { onlySelf } from '../../auth/only-self.ts';
import { userUuidOf } from '../../accounts/user-parameter.ts';
import type { OrganizationAccess } from '../../auth/granted-access.ts';

export interface MemberCall {
  params: { user__uuid: string };
  auth: OrganizationAccess;
  context: Pick<Context, 'prisma'>;
}

export type FoundMember = Membership & { user: User };

/** The member of the path. @throws {AppError} not_found: no active member here, or none that the caller may see */
export async function findMember({ params, auth, context: { prisma } }: MemberCall): Promise<FoundMember> {
  const uuid = userUuidOf(params.user__uuid, auth.caller);
  const member = await memberOf(prisma, auth.organization.id, uuid);
  if (member === null || (uuid !== auth.caller.userUuid && (await onlySelf(prisma, auth))))
    throw notFound('You can see no member of this organization with the UUID', params.user__uuid);
  return member;
}

/** The active member with this user; null: there is none. */
export async function memberOf(
  prisma: Pick<PrismaClient, 'membership'>,
  organizationId: string,
  userUuid: string,
): Promise<FoundMember | null> {
  return await prisma.membership.findFirst({
    where: { organizationId, user: { uuid: userUuid, isActive: true, isBot: false } },
    include: { user: true },
  });
}
