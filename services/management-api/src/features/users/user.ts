import {
  Array as ArrayType,
  Boolean,
  Integer,
  Object as ObjectType,
  String as StringType,
  Unsafe,
  type Static,
} from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import type { Prisma, PrismaClient } from '@millrace/postgres/generated/client.ts';
import { reachableProjects } from '../../auth/visible-projects.ts';
import { summarizeUser, UserSummary } from '../../accounts/user-summary.ts';
import type { Caller } from '../../auth/caller.ts';

const UserOrganization = ObjectType(
  {
    id: StringType({ format: 'uuid' }),
    name: StringType({ examples: ['Acme'] }),
    membership_level: Integer({ examples: [15] }),
    is_ai_data_processing_approved: nullable(Boolean()),
  },
  { title: 'UserOrganization' },
);
const UserProject = ObjectType(
  {
    id: Integer(),
    uuid: StringType({ format: 'uuid' }),
    organization: StringType({ format: 'uuid' }),
    name: StringType({ examples: ['Shop'] }),
    timezone: StringType({ examples: ['Europe/Berlin'] }),
    api_token: StringType({ examples: ['phc_…'] }),
  },
  { title: 'UserProject' },
);

/** A user as they see themselves. `organization` and `team` are what `@current` means in paths. */
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

const include = {
  memberships: { include: { organization: true }, orderBy: { joinedAt: 'asc' } },
} as const satisfies Prisma.UserInclude;

/**
 * The caller, as they see themselves by this key. What they may not see any more, and what the key has no access to, is
 * neither shown as current nor listed; of a key for projects, their organizations are.
 */
export async function showUser(
  prisma: Pick<PrismaClient, 'user' | 'project'>,
  caller: Caller,
): Promise<Static<typeof User>> {
  const user = await prisma.user.findUniqueOrThrow({ where: { id: caller.userId }, include });
  const levels = Object.fromEntries(user.memberships.map(({ organizationId, level }) => [organizationId, level]));
  const reachable = reachableProjects({ ...caller, levels });
  const opened =
    caller.scopedProjects.length === 0
      ? null
      : await prisma.project.findMany({ where: reachable, select: { organizationId: true } });
  const organizations = user.memberships
    .filter((one) => isOpen(one, caller, opened))
    .map(({ organization, level }) => ({
      id: organization.id,
      name: organization.name,
      membership_level: level,
      is_ai_data_processing_approved: organization.isAiDataProcessingApproved,
    }));
  const { currentProjectId } = user;
  const project =
    currentProjectId === null
      ? null
      : await prisma.project.findFirst({ where: { id: currentProjectId, AND: reachable } });
  return {
    ...summarizeUser(user),
    date_joined: user.createdAt.toISOString(),
    organization: organizations.find((one) => one.id === user.currentOrganizationId) ?? null,
    organizations,
    team: project && {
      id: project.id,
      uuid: project.uuid,
      organization: project.organizationId,
      name: project.name,
      timezone: project.timezone,
      api_token: project.apiToken,
    },
  };
}

/** `opened`: the projects that the key has access to; null: it is not limited to some. Pure. */
function isOpen(
  { organizationId }: { organizationId: string },
  { scopedOrganizations }: Caller,
  opened: readonly { organizationId: string }[] | null,
): boolean {
  if (scopedOrganizations.length > 0 && !scopedOrganizations.includes(organizationId)) return false;
  return opened === null || opened.some((project) => project.organizationId === organizationId);
}
