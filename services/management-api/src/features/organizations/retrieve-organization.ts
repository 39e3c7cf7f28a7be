import { Integer, Object as ObjectType, String as StringType } from 'typebox';
import { AppError } from '@millrace/http/errors.ts';
import { organizationRoute } from '../../context.ts';

const timestamp = StringType({ format: 'date-time' });

/** An organization as its members see it. */
const Organization = ObjectType(
  {
    id: StringType({ format: 'uuid' }),
    name: StringType(),
    created_at: timestamp,
    updated_at: timestamp,
    membership_level: Integer({ description: "The caller's level: 1 member, 8 administrator, 15 owner." }),
  },
  { title: 'Organization' },
);

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
    return { id: found.id, name: found.name, created_at: found.createdAt.toISOString(), updated_at: found.updatedAt.toISOString(), membership_level: level };
  },
});
