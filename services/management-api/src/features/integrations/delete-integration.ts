import { membershipLevels } from '@millrace/contracts/membership-levels.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { reply } from '@millrace/http/replies/reply.ts';
import { recordActivity } from '../../activity-log.ts';
import { organizationRoute, type Context } from './context.ts';
import {
  describeIntegration,
  findIntegration,
  IntegrationId,
  integrationPath,
  isConnectable,
  type StoredIntegration,
} from './integration.ts';

export const deleteIntegration = organizationRoute({
  operationId: 'delete_integration',
  method: 'delete',
  path: integrationPath,
  params: { id: IntegrationId },
  access: { scope: 'organization_integration:write', level: membershipLevels.admin },
  tag: 'Integrations',
  summary: 'Disconnect an integration from an organization and its projects',
  description:
    'What a marketplace installed is ended there first: 409 when the provider refuses because of unpaid invoices.',
  responses: { 204: null },
  errors: ['conflict'],
  find: ({ params, auth, context }) => findIntegration(context.prisma, auth.organization.id, params.id),
  async handler({ found, auth: { caller, organization }, context }) {
    if (!isConnectable(found)) await deauthorize(context, found);
    await context.prisma.$transaction(async (transaction) => {
      const { count } = await transaction.organizationIntegration.deleteMany({ where: { id: found.id } });
      if (count === 0) return; // another request was faster
      await transaction.projectIntegration.deleteMany({
        where: { kind: found.kind, project: { organizationId: organization.id } },
      });
      const before = describeIntegration(found);
      await recordActivity(transaction, caller, {
        organizationId: organization.id,
        itemType: 'organization_integration',
        itemId: found.id,
        activity: 'deleted',
        before,
      });
    });
    return reply(204, undefined);
  },
});

/** @throws {AppError} conflict; any other failure is logged, and stops nothing (contract/orgs-errors 2.1) */
async function deauthorize({ integrations, logger }: Context, integration: StoredIntegration): Promise<void> {
  let outcome: 'done' | 'blocked';
  try {
    outcome = await integrations.deauthorize(integration);
  } catch (err) {
    logger.error({ err, integrationId: integration.id }, 'an integration could not be ended at its provider');
    return;
  }
  if (outcome === 'blocked')
    throw new AppError('conflict', {
      detail: 'The provider does not remove the installation while invoices are unpaid.',
    });
}
