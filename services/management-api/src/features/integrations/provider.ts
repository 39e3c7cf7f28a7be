import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { environments, type EnvironmentTokens } from './environment-mapping.ts';
import { configOf, type StoredIntegration } from './integration.ts';

/** Whoever is at the other end of an integration. */
export interface IntegrationProvider {
  /** Ends the installation there. `blocked`: refused because of unpaid invoices. @throws when it failed otherwise */
  deauthorize(integration: StoredIntegration): Promise<'done' | 'blocked'>;
  /** Hands over which project each environment sends its events to; the same once more is as good. @throws when it failed */
  pushTokens(integration: StoredIntegration, tokens: EnvironmentTokens): Promise<void>;
}

/**
 * A provider without an outside service. A flag of the integration's `config` decides whether it can be removed. Pushed tokens
 * are stored with the integrations of the projects, where the installing user can read them.
 */
export function createStoredProvider(prisma: PrismaClient): IntegrationProvider {
  return {
    deauthorize: (integration) =>
      Promise.resolve(configOf(integration).deauthorization_blocked === true ? 'blocked' : 'done'),
    async pushTokens({ organizationId, kind, integrationId }, tokens) {
      const projectOf = (environment: (typeof environments)[number]): number =>
        (tokens[environment] ?? tokens.production).projectId;
      const connected = await prisma.projectIntegration.findMany({
        where: { kind, integrationId, project: { organizationId } },
      });
      for (const { id, projectId } of connected) {
        await prisma.projectIntegration.update({
          where: { id },
          data: {
            config: { environments: environments.filter((environment) => projectOf(environment) === projectId) },
          },
        });
      }
    },
  };
}
