import { Object as ObjectType } from 'typebox';
import { pageEnvelope, pageOf, pageQuery, readPage } from '@millrace/http/pagination.ts';
import { shownProjects } from '../../auth/shown-projects.ts';
import { organizationRoute } from './context.ts';
import { Integration, integrationsPath, mappedProjects, renderIntegrationFor, withCreator } from './integration.ts';

export const listIntegrations = organizationRoute({
  operationId: 'list_integrations',
  method: 'get',
  path: integrationsPath,
  access: { scope: 'organization_integration:read' },
  tag: 'Integrations',
  summary: 'List what is connected to an organization, newest first',
  query: ObjectType(pageQuery),
  responses: { 200: pageOf(Integration) },
  async handler({ query, auth, context, request }) {
    const page = readPage(query);
    const where = { organizationId: auth.organization.id };
    const [count, integrations] = await Promise.all([
      context.prisma.organizationIntegration.count({ where }),
      context.prisma.organizationIntegration.findMany({
        where,
        include: withCreator,
        orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
        take: page.limit,
        skip: page.offset,
      }),
    ]);
    const shown = await shownProjects(context.prisma, auth, integrations.flatMap(mappedProjects));
    return pageEnvelope(
      new URL(context.baseUrl(request) + request.originalUrl),
      page,
      count,
      integrations.map((one) => renderIntegrationFor(one, shown)),
    );
  },
});
