import { pageEnvelope, pageOf, readPage } from '@millrace/http/pagination.ts';
import { organizationRoute } from '../../context.ts';
import { onlySelf } from '../../auth/only-self.ts';
import { Member } from './member.ts';
import { MemberQuery, readMemberQuery } from './member-filter.ts';
import { readMembers } from './read-members.ts';

export const listMembers = organizationRoute({
  operationId: 'list_members',
  method: 'get',
  path: '/api/organizations/:organization_id/members',
  access: { scope: 'organization_member:read' },
  tag: 'Members',
  summary: 'List or search the members of an organization, newest first',
  description:
    'A search finds members whose names or email contain its text (`search_match_type` is `exact`); when there is none, those whose names or email are like it (`similar`), the most alike first.',
  query: MemberQuery,
  responses: { 200: pageOf(Member) },
  async handler({ auth, context, query, request }) {
    const page = readPage(query);
    const userId = (await onlySelf(context.prisma, auth)) ? auth.caller.userId : null;
    const { count, members } = await readMembers(
      context.prisma,
      readMemberQuery(query, { organizationId: auth.organization.id, userId }),
      page,
    );
    return pageEnvelope(new URL(context.baseUrl(request) + request.originalUrl), page, count, members);
  },
});
