import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { PersonalApiKey, PrismaClient } from '@millrace/postgres/generated/client.ts';
import { organizationRoute } from '../../context.ts';
import { userUuidOf, UserParameter } from '../../accounts/user-parameter.ts';
import { findMember } from './find-member.ts';
import { MemberWithKeys, renderMember } from './member.ts';

const weekMs = 7 * 24 * 3_600_000;

export const listMemberKeys = organizationRoute({
  operationId: 'list_member_keys',
  method: 'get',
  path: '/api/organizations/:organization_id/members/:user__uuid/scoped_api_keys',
  access: { scope: 'organization_member:read' },
  tag: 'Members',
  summary: 'Retrieve a member with those of their keys that open the organization or one of its projects',
  description: 'For administrators, and for the member themselves. The values of keys are stored nowhere.',
  params: { user__uuid: UserParameter },
  responses: { 200: MemberWithKeys },
  find: async (call) => {
    const isSelf = userUuidOf(call.params.user__uuid, call.auth.caller) === call.auth.caller.userUuid;
    if (!isSelf && call.auth.level < membershipLevels.admin) throw new AppError('permission_denied');
    return await findMember(call);
  },
  async handler({ auth, context: { prisma, clock }, found }) {
    const keys = await keysInto(prisma, found.userId, auth.organization.id, clock.nowMs());
    const isActive = ({ lastUsedAt }: PersonalApiKey): boolean =>
      lastUsedAt !== null && lastUsedAt.getTime() >= clock.nowMs() - weekMs;
    return {
      ...renderMember(found),
      has_keys: keys.length > 0,
      has_keys_active_last_week: keys.some(isActive),
      keys: keys.map(({ label, lastUsedAt }) => ({ name: label, last_used_at: lastUsedAt?.toISOString() ?? null })),
    };
  },
});

/**
 * The user's keys with access to the organization, one of its projects, or everything, without those that have ended.
 */
async function keysInto(
  prisma: PrismaClient,
  userId: number,
  organizationId: string,
  nowMs: number,
): Promise<PersonalApiKey[]> {
  const keys = await prisma.personalApiKey.findMany({
    where: { userId },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  const named = keys.flatMap(({ scopedTeams }) => scopedTeams);
  const projects = new Set(
    (await prisma.project.findMany({ where: { id: { in: named }, organizationId }, select: { id: true } })).map(
      ({ id }) => id,
    ),
  );
  return keys.filter(({ expiresAt, scopedTeams, scopedOrganizations }) => {
    if (expiresAt !== null && expiresAt.getTime() <= nowMs) return false;
    const isLimited = scopedTeams.length > 0 || scopedOrganizations.length > 0;
    return !isLimited || scopedOrganizations.includes(organizationId) || scopedTeams.some((id) => projects.has(id));
  });
}
