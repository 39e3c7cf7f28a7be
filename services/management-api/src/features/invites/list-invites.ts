import { Object as ObjectType } from 'typebox';
import { pageEnvelope, pageOf, pageQuery, readLongRows, readPage } from '@millrace/http/pagination.ts';
import { onlySelf } from '../../auth/only-self.ts';
import { organizationRoute } from './context.ts';
import { Invite, inviteView, renderInvite } from './invite.ts';
import { withCreator } from './invite-store.ts';
import { lifeOf } from './inviter.ts';

export const listInvites = organizationRoute({
  operationId: 'list_invites',
  method: 'get',
  path: '/api/organizations/:organization_id/invites',
  access: { scope: 'organization_member:read' },
  tag: 'Invites',
  summary: 'List the invites that nobody has accepted yet, expired ones too, newest first',
  description:
    'Private projects that you may not see are left out of what an invite opens. Plain members who may not see the other members see the invites that they made themselves.',
  query: ObjectType(pageQuery),
  responses: { 200: pageOf(Invite) },
  async handler({ query, auth, context, request }) {
    const page = readPage(query);
    const own = (await onlySelf(context.prisma, auth)) ? { createdById: auth.caller.userId } : {};
    const where = { organizationId: auth.organization.id, ...own };
    const [count, invites] = await Promise.all([
      context.prisma.organizationInvite.count({ where }),
      readLongRows(page, ({ limit, offset }) =>
        context.prisma.organizationInvite.findMany({
          where,
          include: withCreator,
          orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
          take: limit,
          skip: offset,
        }),
      ),
    ]);
    const view = await inviteView(context.prisma, auth, lifeOf(context), invites);
    const url = new URL(context.baseUrl(request) + request.originalUrl);
    return pageEnvelope(
      url,
      page,
      count,
      invites.map((invite) => renderInvite(invite, view)),
    );
  },
});
