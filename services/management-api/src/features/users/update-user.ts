import { Integer, Object as ObjectType, Optional, String as StringType, Unsafe } from 'typebox';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { recordActivity } from '../../activity-log.ts';
import { userRoute } from '../../context.ts';
import { lockUser } from '../../accounts/lock-user.ts';
import { UserParameter } from '../../accounts/user-parameter.ts';
import { userRoles } from '../../accounts/user-summary.ts';
import { currentOf } from './current-of.ts';
import { requireSelf } from './require-self.ts';
import { showUser, User } from './user.ts';

const UserChange = ObjectType(
  {
    first_name: Optional(StringType({ format: 'line', minLength: 1, maxLength: 150, examples: ['Ann'] })),
    last_name: Optional(StringType({ format: 'line', maxLength: 150, examples: ['Lee'] })),
    role_at_organization: Optional(
      Unsafe<(typeof userRoles)[number]>({ type: ['string', 'null'], enum: [...userRoles] }),
    ),
    set_current_organization: Optional(
      StringType({ format: 'uuid', description: 'The organization that `@current` means from now on.' }),
    ),
    set_current_team: Optional(
      Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'The project that `@current` means from now on; its organization too.',
      }),
    ),
  },
  { title: 'UserUpdate' },
);

export const updateUser = userRoute({
  operationId: 'update_user',
  method: 'patch',
  path: '/api/users/:user_uuid',
  access: { scope: 'user:write' },
  tag: 'Users',
  summary: 'Change your names, your role, and what is current for you',
  params: { user_uuid: UserParameter },
  body: UserChange,
  responses: { 200: User },
  find: ({ params, auth: { caller } }) => {
    requireSelf(params.user_uuid, caller);
    return Promise.resolve();
  },
  async handler({ auth: { caller }, context, body }) {
    const { first_name: firstName, last_name: lastName, role_at_organization: roleAtOrganization } = body;
    await context.prisma.$transaction(async (transaction) => {
      // One of two changes at once waits, so that what is written down as before is what was there before.
      await lockUser(transaction, caller.userId);
      const before = await transaction.user.findUniqueOrThrow({ where: { id: caller.userId } });
      const current = await currentOf(transaction, caller, {
        organization: body.set_current_organization,
        project: body.set_current_team,
      });
      const data = {
        ...(firstName === undefined ? {} : { firstName }),
        ...(lastName === undefined ? {} : { lastName }),
        ...(roleAtOrganization === undefined ? {} : { roleAtOrganization }),
        ...current,
      };
      const after = await transaction.user.update({ where: { id: caller.userId }, data });
      const { currentOrganizationId: organizationId } = after;
      const change = {
        itemType: 'user',
        itemId: caller.userUuid,
        activity: 'updated',
        before: shown(before, organizationId),
        after: shown(after, organizationId),
      } as const;
      await recordActivity(transaction, caller, { organizationId, ...change });
    });
    return await showUser(context.prisma, caller);
  },
});

/** A user as written down for the administrators of an organization: of where the user was, only what is theirs. */
function shown(
  { firstName, lastName, roleAtOrganization, currentOrganizationId, currentProjectId }: Prisma.UserGetPayload<object>,
  organizationId: string | null,
): Record<string, unknown> {
  const isTheirs = currentOrganizationId === organizationId;
  const current = {
    current_organization: isTheirs ? currentOrganizationId : null,
    current_team: isTheirs ? currentProjectId : null,
  };
  return { first_name: firstName, last_name: lastName, role_at_organization: roleAtOrganization, ...current };
}
