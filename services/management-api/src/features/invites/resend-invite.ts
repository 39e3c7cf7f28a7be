import { AppError } from '@millrace/http/errors/errors.ts';
import { organizationRoute } from './context.ts';
import { Invite, InviteId, invitePath, inviteView, isExpired, renderInvite } from './invite.ts';
import { findOwnInvite, lifeOf } from './inviter.ts';
import { renewLink, transactionOptions } from './invite-store.ts';
import { sendInvites } from './send-invites.ts';

export const resendInvite = organizationRoute({
  operationId: 'resend_invite',
  method: 'post',
  path: `${invitePath}/resend`,
  access: { scope: 'organization_member:write' },
  tag: 'Invites',
  summary: "Send an invite's mail again, with a new link: the one that was mailed before opens nothing any more",
  description:
    'For administrators, and for the user who made the invite. The invite does not live longer by this. An invite that has expired must be made again.',
  params: { id: InviteId },
  responses: { 200: Invite },
  errors: ['expired', 'conflict'],
  find: findOwnInvite,
  async handler({ found, auth, context }) {
    const { organization, caller } = auth;
    const life = lifeOf(context);
    if (isExpired(found, life))
      throw new AppError('expired', { detail: 'This invite has expired. Invite the address again.' });
    if (!context.mailer.isConfigured)
      throw new AppError('conflict', { detail: 'Mail is not configured. Copy the link instead.' });
    const renewed = await context.prisma.$transaction(async (transaction) => {
      // First: it locks the organization, before an invite of it, as all who change invites do.
      await context.mailBudget.take(transaction, {
        organizationId: organization.id,
        kind: 'invite',
        addresses: [found.targetEmail],
      });
      return await renewLink(transaction, caller, found.id, 'mailed');
    }, transactionOptions);
    const [sent = renewed.invite] = await sendInvites(context, organization.id, [renewed]);
    return renderInvite(sent, await inviteView(context.prisma, auth, life, [sent]));
  },
});
