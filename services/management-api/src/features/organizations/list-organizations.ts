import { Object as ObjectType } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { pageEnvelope, pageOf, pageQuery, readPage } from '@millrace/http/pagination.ts';
import { userRoute } from '../../context.ts';
import { Organization, renderOrganization } from './organization.ts';

export const listOrganizations = userRoute({
  operationId: 'list_organizations',
  method: 'get',
  path: '/api/organizations',
  access: { scope: 'organization:read' },
  tag: 'Organizations',
  summary: 'List your organizations, the one you joined first at the top',
  query: ObjectType(pageQuery),
  responses: { 200: pageOf(Organization) },
  async handler({ auth: { caller }, context, query, request }) {
    const { scopedProjects, scopedOrganizations, userId } = caller;
    // A key that is limited to projects has no access to an organization (contract/orgs-errors 1.3, step 4).
    if (scopedProjects.length > 0)
      throw new AppError('permission_denied', {
        detail: 'This API key is limited to projects: it has no access to organizations.',
      });
    const page = readPage(query);
    const where = {
      userId,
      ...(scopedOrganizations.length === 0 ? {} : { organizationId: { in: [...scopedOrganizations] } }),
    };
    const [count, memberships] = await context.prisma.$transaction([
      context.prisma.membership.count({ where }),
      context.prisma.membership.findMany({
        where,
        include: { organization: true },
        orderBy: [{ joinedAt: 'asc' }, { id: 'asc' }],
        take: page.limit,
        skip: page.offset,
      }),
    ]);
    const organizations = memberships.map(({ organization, level }) => renderOrganization(organization, level));
    return pageEnvelope(new URL(context.baseUrl(request) + request.originalUrl), page, count, organizations);
  },
});
