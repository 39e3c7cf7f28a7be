import { Array as ArrayType } from 'typebox';
import { organizationRoute } from './context.ts';
import { mailAndRender } from './create-invite.ts';
import { Invite } from './invite.ts';
import { InviteBody, readInviteBody } from './invite-body.ts';
import { inviterOf, requireMayInvite } from './inviter.ts';
import { transactionOptions } from './invite-store.ts';
import { atIndex, saveInvites } from './save-invites.ts';
import { takeInviteMails } from './send-invites.ts';

const invitesMax = 20;

export const createInvites = organizationRoute({
  operationId: 'create_invites',
  method: 'post',
  path: '/api/organizations/:organization_id/invites/bulk',
  access: { scope: 'organization_member:write' },
  tag: 'Invites',
  summary: 'Invite up to 20 email addresses: all of them or none',
  body: ArrayType(InviteBody, { minItems: 1, maxItems: invitesMax }),
  jsonOnly: true,
  responses: { 200: ArrayType(Invite) },
  find: requireMayInvite,
  async handler({ body, auth, context }) {
    const inviter = inviterOf({ auth, context });
    const wanted = body.map((one, index) => atIndex(index, () => readInviteBody(one)));
    const made = await context.prisma.$transaction(async (transaction) => {
      const saved = await saveInvites(transaction, inviter, wanted, { isList: true });
      await takeInviteMails(transaction, context, inviter.organizationId, saved);
      return saved;
    }, transactionOptions);
    return mailAndRender(context, auth, made);
  },
});
