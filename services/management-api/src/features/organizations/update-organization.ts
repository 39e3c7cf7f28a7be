import { Object as ObjectType, Optional, String as StringType, type Static } from 'typebox';
import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { organizationRoute } from '../../context.ts';
import { changeOrganization } from './change-organization.ts';
import { aiConsent, Organization, organizationSettings, renderOrganization } from './organization.ts';

const OrganizationChange = ObjectType(
  {
    name: Optional(StringType({ format: 'line', minLength: 1, maxLength: 64, examples: ['Acme'] })),
    members_can_invite: Optional(organizationSettings.members_can_invite),
    members_can_see_org_members: Optional(organizationSettings.members_can_see_org_members),
    enforce_verified_domains: Optional(organizationSettings.enforce_verified_domains),
    is_ai_data_processing_approved: Optional(aiConsent),
  },
  { title: 'OrganizationUpdate' },
);

export const updateOrganization = organizationRoute({
  operationId: 'update_organization',
  method: 'patch',
  path: '/api/organizations/:organization_id',
  access: { scope: 'organization:write', level: membershipLevels.admin },
  tag: 'Organizations',
  summary: 'Rename an organization, or change its settings',
  body: OrganizationChange,
  responses: { 200: Organization },
  async handler({ auth: { caller, organization, level }, context, body }) {
    const changed = await context.prisma.$transaction((transaction) =>
      changeOrganization(transaction, caller, organization.id, dataOf(body)),
    );
    return renderOrganization(changed, level);
  },
});

function dataOf(body: Static<typeof OrganizationChange>): Prisma.OrganizationUpdateInput {
  const data = {
    name: body.name,
    membersCanInvite: body.members_can_invite,
    membersCanSeeOrgMembers: body.members_can_see_org_members,
    enforceVerifiedDomains: body.enforce_verified_domains,
    isAiDataProcessingApproved: body.is_ai_data_processing_approved,
  };
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== undefined));
}
