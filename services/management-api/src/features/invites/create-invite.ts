import { organizationRoute, type Context } from '../../context.ts';
import { Invite, renderInvite, type InviteLife } from './invite.ts';
import { InviteBody, readInviteBody } from './invite-body.ts';
import { inviterOf, requireMayInvite } from './inviter.ts';
import { transactionOptions } from './invite-store.ts';
import { saveInvites, type MadeInvite } from './save-invites.ts';
import { sendInvites } from './send-invites.ts';

export const createInvite = organizationRoute({
  operationId: 'create_invite',
  method: 'post',
  path: '/api/organizations/:organization_id/invites',
  access: { scope: 'organization_member:write' },
  tag: 'Invites',
  summary: 'Invite an email address, in place of every earlier invite of it',
  description: 'Members invite at or below their own level. The mail with the link goes out when mail is configured and `send_email` is not false.',
  body: InviteBody,
  responses: { 201: Invite },
  find: requireMayInvite,
  async handler({ body, auth, context }) {
    const inviter = inviterOf({ auth, context });
    const wanted = readInviteBody(body);
    const made = await context.prisma.$transaction((transaction) => saveInvites(transaction, inviter, [wanted]), transactionOptions);
    const [invite] = await mailAndRender(context, inviter, made);
    if (invite === undefined) throw new Error('an invite was made and is not there');
    return invite;
  },
});

/** Mails invites that were just made, and answers how the API shows them. */
export async function mailAndRender(context: Context, { organizationId, life }: { organizationId: string; life: InviteLife }, made: readonly MadeInvite[]): Promise<Invite[]> {
  const sent = await sendInvites(context, organizationId, made);
  return sent.map((invite, index) => renderInvite(invite, life, made[index]?.wanted));
}
