import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivity } from './activity-log.ts';
import { requireText } from './admin-checks.ts';

/** What the command line does to organizations. */
export function createOrganizationAdmin(prisma: PrismaClient, clock: Clock) {
  return {
    async createOrganization({ name }: { name: string }): Promise<{ organizationId: string }> {
      const data = { id: uuidV7(clock.nowMs()), name: requireText('name', name, 64) };
      await prisma.$transaction(async (transaction) => {
        await transaction.organization.create({ data });
        const after = { name: data.name };
        await recordActivity(transaction, 'command line', { organizationId: data.id, itemType: 'organization', itemId: data.id, activity: 'created', after });
      });
      return { organizationId: data.id };
    },
  };
}
