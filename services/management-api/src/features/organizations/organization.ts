import { Boolean, Integer, Object as ObjectType, String as StringType, type Static } from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import type { Organization as StoredOrganization } from '@millrace/postgres/generated/client.ts';

const timestamp = StringType({ format: 'date-time' });

/** Fields of an organization that administrators may set (contract/decisions 20). */
export const organizationSettings = {
  members_can_invite: Boolean({
    examples: [true],
    description: 'Whether plain members may invite others, at their own level.',
  }),
  members_can_see_org_members: Boolean({
    examples: [true],
    description: 'Whether plain members see the other members.',
  }),
  enforce_verified_domains: Boolean({
    description: 'Whether only addresses of a verified domain may be invited and join.',
  }),
};

/** Consent to AI data processing; null: not decided. */
export const aiConsent = nullable(Boolean({ description: 'Consent to AI data processing; null: nobody has decided.' }));

/** An organization as its members see it. */
export const Organization = ObjectType(
  {
    id: StringType({ format: 'uuid' }),
    name: StringType({ examples: ['Acme'] }),
    created_at: timestamp,
    updated_at: timestamp,
    membership_level: Integer({
      examples: [15],
      description: "The caller's level: 1 member, 8 administrator, 15 owner.",
    }),
    ...organizationSettings,
    is_ai_data_processing_approved: aiConsent,
  },
  { title: 'Organization' },
);

/** The organization as a member of this level sees it. */
export function renderOrganization(organization: StoredOrganization, level: number): Static<typeof Organization> {
  const { id, name, createdAt, updatedAt } = organization;
  return {
    id,
    name,
    created_at: createdAt.toISOString(),
    updated_at: updatedAt.toISOString(),
    membership_level: level,
    ...shownSettings(organization),
  };
}

/** Fields that can be set, by the names of the API. */
export function shownSettings(organization: StoredOrganization) {
  return {
    members_can_invite: organization.membersCanInvite,
    members_can_see_org_members: organization.membersCanSeeOrgMembers,
    enforce_verified_domains: organization.enforceVerifiedDomains,
    is_ai_data_processing_approved: organization.isAiDataProcessingApproved,
  };
}
