import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { recordActivity } from '../../activity-log.ts';
import { organizationRoute } from '../../context.ts';
import { OtherUserParameter } from '../../accounts/user-parameter.ts';
import { withdrawInvitesAbove } from '../../accounts/withdraw-invites.ts';
import { findTouchable, throwIf, whileLocked } from './change-members.ts';
import { Member, MemberChange, renderMember } from './member.ts';
import { levelError } from './member-rules.ts';

export const updateMember = organizationRoute({
  operationId: 'update_member',
  method: 'patch',
  path: '/api/organizations/:organization_id/members/:user__uuid',
  access: { scope: 'organization_member:write' },
  tag: 'Members',
  summary: 'Change the level of a member',
  description:
    'Administrators change members up to their own level; only an owner makes another member an owner; nobody changes their own level. Invites that the member made are withdrawn when they give more than the member can give now. Without `level` nothing happens.',
  params: { user__uuid: OtherUserParameter },
  body: MemberChange,
  responses: { 200: Member },
  find: findTouchable,
  async handler({ auth, context, found, body }) {
    return await whileLocked(context.prisma, auth, found, async (transaction, { member, ...encounter }) => {
      const organizationId = auth.organization.id;
      const owners = await transaction.membership.count({ where: { organizationId, level: membershipLevels.owner } });
      throwIf(levelError({ ...encounter, newLevel: body.level, owners }));
      if (body.level === undefined || body.level === member.level) return renderMember(member);
      const changed = await transaction.membership.update({
        where: { id: member.id },
        data: { level: body.level },
        include: { user: true },
      });
      const change = { activity: 'updated', before: { level: member.level }, after: { level: changed.level } } as const;
      await recordActivity(transaction, auth.caller, {
        organizationId,
        itemType: 'member',
        itemId: member.user.uuid,
        ...change,
      });
      await withdrawInvitesAbove(transaction, auth.caller, {
        organizationId,
        userId: member.userId,
        level: changed.level,
      });
      return renderMember(changed);
    });
  },
});
