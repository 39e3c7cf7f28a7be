import { organizationRoute, type Context } from './context.ts';
import { Invite, inviteView, renderInvite } from './invite.ts';
import { InviteBody, readInviteBody } from './invite-body.ts';
import { inviterOf, lifeOf, requireMayInvite } from './inviter.ts';
import { transactionOptions } from './invite-store.ts';
import { saveInvites, type MadeInvite } from './save-invites.ts';
import { sendInvites, takeInviteMails } from './send-invites.ts';
import type { OrganizationAccess } from '../../auth/granted-access.ts';

export const createInvite = organizationRoute({
  operationId: 'create_invite',
  method: 'post',
  path: '/api/organizations/:organization_id/invites',
  access: { scope: 'organization_member:write' },
  tag: 'Invites',
  summary: 'Invite an email address, in place of every earlier invite of it',
  description:
    'Members invite at or below their own level. The mail with the link goes out when mail is configured and `send_email` is not false.',
  body: InviteBody,
  responses: { 201: Invite },
  find: requireMayInvite,
  async handler({ body, auth, context }) {
    const inviter = inviterOf({ auth, context });
    const wanted = readInviteBody(body);
    const made = await context.prisma.$transaction(async (transaction) => {
      const saved = await saveInvites(transaction, inviter, [wanted]);
      await takeInviteMails(transaction, context, inviter.organizationId, saved);
      return saved;
    }, transactionOptions);
    const [invite] = await mailAndRender(context, auth, made);
    if (invite === undefined) throw new Error('an invite was made and is not there');
    return invite;
  },
});

/** Mails invites that were just made, and returns them as the API shows them. */
export async function mailAndRender(
  context: Context,
  auth: OrganizationAccess,
  made: readonly MadeInvite[],
): Promise<Invite[]> {
  const sent = await sendInvites(context, auth.organization.id, made);
  const view = await inviteView(context.prisma, auth, lifeOf(context), sent);
  return sent.map((invite, index) => renderInvite(invite, view, made[index]?.wanted));
}
