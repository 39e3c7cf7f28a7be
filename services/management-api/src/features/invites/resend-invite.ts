import { AppError } from '@millrace/http/errors.ts';
import { hashKey } from '../../auth/key-hash.ts';
import { organizationRoute } from '../../context.ts';
import { Invite, InviteId, invitePath, isExpired, renderInvite } from './invite.ts';
import { newInviteToken } from './invite-link.ts';
import { findOwnInvite, lifeOf } from './inviter.ts';
import { withCreator } from './invite-store.ts';
import { sendInvites } from './send-invites.ts';

export const resendInvite = organizationRoute({
  operationId: 'resend_invite',
  method: 'post',
  path: `${invitePath}/resend`,
  access: { scope: 'organization_member:write' },
  tag: 'Invites',
  summary: "Send an invite's mail again, with a new link: the one that was mailed before opens nothing any more",
  description: 'For administrators, and for whoever made the invite. It does not live longer by it: an invite that has expired is made anew.',
  params: { id: InviteId },
  responses: { 200: Invite },
  errors: ['expired', 'conflict'],
  find: findOwnInvite,
  async handler({ found, auth: { organization }, context }) {
    const life = lifeOf(context);
    if (isExpired(found, life)) throw new AppError('expired', { detail: 'This invite has expired. Invite the address again.' });
    if (!context.mailer.isConfigured) throw new AppError('conflict', { detail: 'Mail is not configured. Copy the link instead.' });
    const token = newInviteToken();
    const [invite] = await context.prisma.organizationInvite.updateManyAndReturn({ where: { id: found.id }, data: { mailedTokenHash: hashKey(token) }, include: withCreator });
    if (invite === undefined) throw new AppError('not_found');
    const [sent = invite] = await sendInvites(context, organization.id, [{ invite, token }]);
    return renderInvite(sent, life);
  },
});
