import { Array as ArrayType, Boolean, Integer, Object as ObjectType, String as StringType, Unsafe, type Static } from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import type { Prisma, PrismaClient } from '@millrace/postgres/generated/client.ts';
import { visibleProjects } from '../../auth/visible-projects.ts';
import { summarizeUser, UserSummary } from '../user-summary.ts';

const UserOrganization = ObjectType(
  {
    id: StringType({ format: 'uuid' }),
    name: StringType(),
    membership_level: Integer(),
    is_ai_data_processing_approved: nullable(Boolean()),
  },
  { title: 'UserOrganization' },
);
const UserProject = ObjectType(
  { id: Integer(), uuid: StringType({ format: 'uuid' }), organization: StringType({ format: 'uuid' }), name: StringType(), timezone: StringType(), api_token: StringType() },
  { title: 'UserProject' },
);

/** A user as he sees himself. `organization` and `team` are what `@current` means in paths. */
export const User = ObjectType(
  {
    ...UserSummary.properties,
    date_joined: StringType({ format: 'date-time' }),
    organization: Unsafe<Static<typeof UserOrganization> | null>({ anyOf: [UserOrganization, { type: 'null' }] }),
    organizations: ArrayType(UserOrganization),
    team: Unsafe<Static<typeof UserProject> | null>({ anyOf: [UserProject, { type: 'null' }] }),
  },
  { title: 'User' },
);

const include = { memberships: { include: { organization: true }, orderBy: { joinedAt: 'asc' } } } as const satisfies Prisma.UserInclude;

/** The user with this id, as he sees himself. What he may not see any more is not shown as current. */
export async function showUser(prisma: Pick<PrismaClient, 'user' | 'project'>, id: number): Promise<Static<typeof User>> {
  const user = await prisma.user.findUniqueOrThrow({ where: { id }, include });
  const organizations = user.memberships.map(({ organization, level }) => ({
    id: organization.id,
    name: organization.name,
    membership_level: level,
    is_ai_data_processing_approved: organization.isAiDataProcessingApproved,
  }));
  const levels = Object.fromEntries(organizations.map((one) => [one.id, one.membership_level]));
  const { currentProjectId } = user;
  const project = currentProjectId === null ? null : await prisma.project.findFirst({ where: { id: currentProjectId, AND: visibleProjects(id, levels) } });
  return {
    ...summarizeUser(user),
    date_joined: user.createdAt.toISOString(),
    organization: organizations.find((one) => one.id === user.currentOrganizationId) ?? null,
    organizations,
    team: project && { id: project.id, uuid: project.uuid, organization: project.organizationId, name: project.name, timezone: project.timezone, api_token: project.apiToken },
  };
}
