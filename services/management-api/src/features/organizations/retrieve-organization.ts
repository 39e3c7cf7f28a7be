import { AppError } from '@millrace/http/errors/errors.ts';
import { organizationRoute } from '../../context.ts';
import { Organization, renderOrganization } from './organization.ts';

export const retrieveOrganization = organizationRoute({
  operationId: 'retrieve_organization',
  method: 'get',
  path: '/api/organizations/:organization_id',
  access: { scope: 'organization:read' },
  tag: 'Organizations',
  summary: 'Retrieve an organization',
  responses: { 200: Organization },
  async handler({ auth: { organization, level }, context }) {
    const found = await context.prisma.organization.findUnique({ where: { id: organization.id } });
    if (found === null) throw new AppError('not_found', { detail: 'Organization not found.' });
    return renderOrganization(found, level);
  },
});
