import { Array as ArrayType, Integer, Object as ObjectType, String as StringType, Unsafe, type Static } from 'typebox';
import { AppError } from '@millrace/http/errors.ts';
import { userRoute } from '../../context.ts';
import { userUuidOf, UserParameter } from '../user-parameter.ts';
import { summarizeUser, UserSummary } from '../user-summary.ts';

const UserOrganization = ObjectType({ id: StringType({ format: 'uuid' }), name: StringType(), membership_level: Integer() }, { title: 'UserOrganization' });
const UserProject = ObjectType({ id: Integer(), organization: StringType({ format: 'uuid' }), name: StringType() }, { title: 'UserProject' });

/** A user as he sees himself. `organization` and `team` are what `@current` means in paths. */
const User = ObjectType(
  {
    ...UserSummary.properties,
    organization: Unsafe<Static<typeof UserOrganization> | null>({ anyOf: [UserOrganization, { type: 'null' }] }),
    organizations: ArrayType(UserOrganization),
    team: Unsafe<Static<typeof UserProject> | null>({ anyOf: [UserProject, { type: 'null' }] }),
  },
  { title: 'User' },
);

export const retrieveUser = userRoute({
  operationId: 'retrieve_user',
  method: 'get',
  path: '/api/users/:user_uuid',
  access: 'personal-key',
  tag: 'Users',
  summary: 'Say who calls: the owner of the key, and what is current for him',
  params: { user_uuid: UserParameter },
  responses: { 200: User },
  async handler({ params, auth: { caller }, context }) {
    // Nobody else can be looked at here; other users are members of organizations.
    if (userUuidOf(params.user_uuid, caller) !== caller.userUuid) throw new AppError('not_found');
    const user = await context.prisma.user.findUniqueOrThrow({
      where: { id: caller.userId },
      include: { memberships: { include: { organization: true }, orderBy: { joinedAt: 'asc' } }, currentProject: true },
    });
    const organizations = user.memberships.map(({ organization: { id, name }, level }) => ({ id, name, membership_level: level }));
    const project = user.currentProject?.deletedAt === null ? user.currentProject : null;
    return {
      ...summarizeUser(user),
      organization: organizations.find(({ id }) => id === user.currentOrganizationId) ?? null,
      organizations,
      team: project && { id: project.id, organization: project.organizationId, name: project.name },
    };
  },
});
