import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma, PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivity } from '../activity-log.ts';
import {
  describeIntegration,
  integrationKinds,
  renderIntegration,
  withCreator,
} from '../features/integrations/integration.ts';
import { requireChoice, requireOrganization, requireText } from './checks.ts';

interface Installation {
  organizationId: string;
  kind: string;
  /** Its id at the provider; null: it has none. */
  integrationId: string | null;
  config: Record<string, unknown>;
}

/** Operations of the command line on integrations: installations come from outside (contract/orgs-errors 2.1). */
export function createIntegrationAdmin(prisma: PrismaClient, clock: Clock) {
  return {
    /** Connects something to an organization; what is connected already, by kind and id at the provider, gets the new `config`. */
    async installIntegration({ organizationId, kind, integrationId, config }: Installation) {
      await requireOrganization(prisma, organizationId);
      requireChoice('kind', kind, integrationKinds);
      const named = integrationId === null ? null : requireText('integration_id', integrationId, 400);
      if (JSON.stringify(config).length > 100_000)
        throw new AppError('max_length', { attr: 'config', detail: 'The config may have at most 100000 characters.' });
      const json = config as Prisma.InputJsonObject;
      return prisma.$transaction(async (transaction) => {
        // One of two installations at once waits for the other: an id that is none is in no unique index.
        await transaction.$queryRaw`SELECT FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
        const before = await transaction.organizationIntegration.findFirst({
          where: { organizationId, kind, integrationId: named },
        });
        const after =
          before === null
            ? await transaction.organizationIntegration.create({
                data: { id: uuidV7(clock.nowMs()), organizationId, kind, integrationId: named, config: json },
                include: withCreator,
              })
            : await transaction.organizationIntegration.update({
                where: { id: before.id },
                data: { config: json },
                include: withCreator,
              });
        const change =
          before === null
            ? { activity: 'created' as const }
            : { activity: 'updated' as const, before: describeIntegration(before) };
        await recordActivity(transaction, 'command line', {
          organizationId,
          itemType: 'organization_integration',
          itemId: after.id,
          ...change,
          after: describeIntegration(after),
        });
        return renderIntegration(after);
      });
    },
  };
}
