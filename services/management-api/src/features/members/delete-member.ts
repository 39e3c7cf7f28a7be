import { reply } from '@millrace/http/replies/reply.ts';
import { organizationRoute } from '../../context.ts';
import { OtherUserParameter } from '../../accounts/user-parameter.ts';
import { findTouchable, throwIf, whileLocked } from './change-members.ts';
import { removalError } from './member-rules.ts';
import { removeMember } from './remove-member.ts';

export const deleteMember = organizationRoute({
  operationId: 'delete_member',
  method: 'delete',
  path: '/api/organizations/:organization_id/members/:user__uuid',
  access: { scope: 'organization_member:write' },
  tag: 'Members',
  summary: 'Remove a member, or leave with `@me`',
  description:
    'Keys of the member stop working here at once, the invites that the member made are withdrawn, and the run tokens that the member made are ended. An owner is not removed before another owner gave them another level.',
  params: { user__uuid: OtherUserParameter },
  responses: { 204: null },
  errors: ['invalid_input'],
  find: findTouchable,
  async handler({ auth, context, found }) {
    await whileLocked(context.prisma, auth, found, async (transaction, { member, ...encounter }) => {
      throwIf(removalError(encounter));
      await removeMember(transaction, auth.caller, member);
    });
    return reply(204, undefined);
  },
});
