import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivity } from '../activity-log.ts';
import { changeOrganization } from '../features/organizations/change-organization.ts';
import { requireOrganization, requireText } from './checks.ts';

interface OrganizationSettings {
  name?: string;
  membersCanInvite?: boolean;
  membersCanSeeOrgMembers?: boolean;
  enforceVerifiedDomains?: boolean;
  /** Null: not decided. */
  isAiDataProcessingApproved?: boolean | null;
  /** Null: what the setting of the API says. */
  projectsMax?: number | null;
}

/** Operations of the command line on organizations. */
export function createOrganizationAdmin(prisma: PrismaClient, clock: Clock) {
  return {
    async createOrganization({
      name,
      isAiDataProcessingApproved = null,
    }: {
      name: string;
      /** Null: nobody has decided. */
      isAiDataProcessingApproved?: boolean | null;
    }): Promise<{ organizationId: string }> {
      const data = { id: uuidV7(clock.nowMs()), name: requireText('name', name, 64), isAiDataProcessingApproved };
      await prisma.$transaction(async (transaction) => {
        await transaction.organization.create({ data });
        const after = {
          name: data.name,
          ...(isAiDataProcessingApproved !== null && { is_ai_data_processing_approved: isAiDataProcessingApproved }),
        };
        await recordActivity(transaction, 'command line', {
          organizationId: data.id,
          itemType: 'organization',
          itemId: data.id,
          activity: 'created',
          after,
        });
      });
      return { organizationId: data.id };
    },

    /** All organizations, oldest first. */
    async listOrganizations(): Promise<{ organizationId: string; name: string; createdAt: string }[]> {
      const organizations = await prisma.organization.findMany({
        orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
        select: { id: true, name: true, createdAt: true },
      });
      return organizations.map(({ id, name, createdAt }) => ({
        organizationId: id,
        name,
        createdAt: createdAt.toISOString(),
      }));
    },

    /** Its settings (contract/decisions 20); what is not given stays as it is. */
    async updateOrganization({ organizationId, name, ...settings }: { organizationId: string } & OrganizationSettings) {
      await requireOrganization(prisma, organizationId);
      const data = { ...settings, ...(name === undefined ? {} : { name: requireText('name', name, 64) }) };
      const changed = await prisma.$transaction((transaction) =>
        changeOrganization(transaction, 'command line', organizationId, data),
      );
      const {
        membersCanInvite,
        membersCanSeeOrgMembers,
        enforceVerifiedDomains,
        isAiDataProcessingApproved,
        projectsMax,
      } = changed;
      return {
        organizationId,
        name: changed.name,
        membersCanInvite,
        membersCanSeeOrgMembers,
        enforceVerifiedDomains,
        isAiDataProcessingApproved,
        projectsMax,
      };
    },
  };
}
