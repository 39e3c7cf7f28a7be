import { shownProjects } from '../../auth/shown-projects.ts';
import { organizationRoute } from './context.ts';
import {
  findIntegration,
  Integration,
  IntegrationId,
  integrationPath,
  mappedProjects,
  renderIntegrationFor,
} from './integration.ts';

export const retrieveIntegration = organizationRoute({
  operationId: 'retrieve_integration',
  method: 'get',
  path: integrationPath,
  params: { id: IntegrationId },
  access: { scope: 'organization_integration:read' },
  tag: 'Integrations',
  summary: 'Retrieve an integration',
  responses: { 200: Integration },
  async handler({ params, auth, context }) {
    const integration = await findIntegration(context.prisma, auth.organization.id, params.id);
    return renderIntegrationFor(integration, await shownProjects(context.prisma, auth, mappedProjects(integration)));
  },
});
