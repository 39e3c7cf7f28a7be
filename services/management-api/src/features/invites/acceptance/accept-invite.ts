import { Integer, Object as ObjectType, String as StringType } from 'typebox';
import { userRoute } from '../context.ts';
import { acceptInviteBy } from './accept.ts';
import { InviteToken } from '../invite-link.ts';
import { lifeOf } from '../inviter.ts';
import { notifyMembers } from './notify-members.ts';

const AcceptedInvite = ObjectType(
  {
    organization: ObjectType(
      { id: StringType({ format: 'uuid' }), name: StringType({ examples: ['Acme'] }) },
      { title: 'JoinedOrganization' },
    ),
    level: Integer(),
  },
  { title: 'AcceptedInvite' },
);

export const acceptInvite = userRoute({
  operationId: 'accept_invite',
  method: 'post',
  path: '/api/invites/:token/accept',
  access: { scope: 'organization_member:write' },
  tag: 'Invites',
  summary: 'Accept an invite as the user of the key; `token` is the end of the link that was mailed or passed on',
  params: { token: InviteToken },
  responses: { 200: AcceptedInvite },
  errors: ['invalid_recipient', 'expired', 'user_already_member', 'existing_email_address'],
  async handler({ params, auth, context }) {
    const joined = await acceptInviteBy(context.prisma, params.token, auth, lifeOf(context));
    void notifyMembers(context, joined);
    return { organization: { id: joined.organization.id, name: joined.organization.name }, level: joined.invite.level };
  },
});
