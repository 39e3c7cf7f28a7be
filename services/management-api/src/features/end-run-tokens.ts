import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { recordActivity, type Actor } from '../activity-log.ts';

/**
 * Ends the run tokens that a user made, in one organization or (without it) everywhere, and writes each down. Tokens count only
 * as long as their maker is a member (`run-token-store.ts`); this ends them for good, also for a member who comes back.
 */
export async function endRunTokens(transaction: Prisma.TransactionClient, actor: Actor, { userId, organizationId }: { userId: number; organizationId?: string }): Promise<void> {
  const project = organizationId === undefined ? {} : { endpoint: { project: { organizationId } } };
  const tokens = await transaction.endpointToken.findMany({ where: { createdById: userId, ...project }, include: { endpoint: { include: { project: true } } }, orderBy: { id: 'asc' } });
  await transaction.endpointToken.deleteMany({ where: { id: { in: tokens.map(({ id }) => id) } } });
  for (const { id, label, maskValue, endpoint } of tokens) {
    const { name, projectId } = endpoint;
    const what = { organizationId: endpoint.project.organizationId, projectId, itemType: 'endpoint_token', itemId: id, activity: 'deleted' } as const;
    await recordActivity(transaction, actor, { ...what, before: { endpoint: name, label, mask_value: maskValue } });
  }
}
