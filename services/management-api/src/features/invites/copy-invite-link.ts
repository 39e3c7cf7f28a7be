import { Object as ObjectType, String as StringType } from 'typebox';
import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { holdMaker } from '../../accounts/hold-maker.ts';
import { organizationRoute } from './context.ts';
import { InviteId, invitePath, isExpired } from './invite.ts';
import { inviteLink } from './invite-link.ts';
import { lockOrganization, renewLink, transactionOptions } from './invite-store.ts';
import { findInvite, lifeOf } from './inviter.ts';

const CopiedLink = ObjectType(
  {
    link: StringType({
      format: 'uri',
      examples: ['https://api.example.com/invites/mVq3Zk81TbYc7RxW0sHd5NfJ2LgPa9Ue'],
    }),
    expires_at: StringType({ format: 'date-time' }),
  },
  { title: 'InviteLink' },
);

export const copyInviteLink = organizationRoute({
  operationId: 'copy_invite_link',
  method: 'post',
  path: `${invitePath}/copy_link`,
  access: { scope: 'organization_member:write', level: membershipLevels.admin },
  tag: 'Invites',
  summary: 'Make a link to pass on by hand: the one that was copied before opens nothing any more',
  description:
    'The link that was mailed goes on working. Who joins by a copied link has not proven the address: it counts as not verified. Nobody copies a link to a level above the own.',
  params: { id: InviteId },
  responses: { 200: CopiedLink },
  errors: ['expired'],
  find: findInvite,
  async handler({ found, auth: { level, caller, organization }, context, request }) {
    requireReach(found.level, level);
    const life = lifeOf(context);
    if (isExpired(found, life))
      throw new AppError('expired', { detail: 'This invite has expired. Invite the address again.' });
    const { token } = await context.prisma.$transaction(async (transaction) => {
      await lockOrganization(transaction, organization.id);
      const levelNow = await holdMaker(transaction, caller, organization.id);
      if (levelNow < membershipLevels.admin) throw new AppError('permission_denied');
      const { invite, token: made } = await renewLink(transaction, caller, found.id, 'copied');
      requireReach(invite.level, levelNow);
      return { token: made };
    }, transactionOptions);
    return {
      link: inviteLink(context.baseUrl(request), token),
      expires_at: new Date(found.createdAt.getTime() + life.lifeMs).toISOString(),
    };
  },
});

function requireReach(inviteLevel: number, level: number): void {
  if (inviteLevel > level)
    throw new AppError('permission_denied', { detail: 'This invite is for a level above your own.' });
}
