import { organizationRoute } from '../../context.ts';
import { findIntegration, Integration, IntegrationId, integrationPath, renderIntegration } from './integration.ts';

export const retrieveIntegration = organizationRoute({
  operationId: 'retrieve_integration',
  method: 'get',
  path: integrationPath,
  params: { id: IntegrationId },
  access: { scope: 'organization_integration:read' },
  tag: 'Integrations',
  summary: 'Retrieve an integration',
  responses: { 200: Integration },
  handler: async ({ params, auth, context }) => renderIntegration(await findIntegration(context.prisma, auth.organization.id, params.id)),
});
