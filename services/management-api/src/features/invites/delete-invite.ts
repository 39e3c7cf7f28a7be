import { reply } from '@millrace/http/replies/reply.ts';
import { withdrawInvites } from '../../accounts/withdraw-invites.ts';
import { organizationRoute } from './context.ts';
import { InviteId, invitePath } from './invite.ts';
import { findOwnInvite } from './inviter.ts';
import { lockOrganization, transactionOptions, withCreator } from './invite-store.ts';

export const deleteInvite = organizationRoute({
  operationId: 'delete_invite',
  method: 'delete',
  path: invitePath,
  access: { scope: 'organization_member:write' },
  tag: 'Invites',
  summary: 'Withdraw an invite: its links open nothing any more',
  description: 'For administrators, and for the user who made the invite.',
  params: { id: InviteId },
  responses: { 204: null },
  find: findOwnInvite,
  async handler({ found: { id, organizationId }, auth, context }) {
    await context.prisma.$transaction(async (transaction) => {
      await lockOrganization(transaction, organizationId);
      // Meanwhile the invite may have been accepted, or its address invited again.
      const invites = await transaction.organizationInvite.findMany({ where: { id }, include: withCreator });
      await withdrawInvites(transaction, auth.caller, invites);
    }, transactionOptions);
    return reply(204, undefined);
  },
});
