import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';

/**
 * Lets an organization make another project, if it has fewer than its limit. When two callers make one at once, one waits for
 * the other's transaction to end.
 * @throws {AppError} permission_denied
 */
export async function refuseBeyondLimit(
  transaction: Prisma.TransactionClient,
  organizationId: string,
  usualMax: number,
): Promise<void> {
  await transaction.$queryRaw`SELECT FROM organizations WHERE id = ${organizationId}::uuid FOR NO KEY UPDATE`;
  const { projectsMax } = await transaction.organization.findUniqueOrThrow({
    where: { id: organizationId },
    select: { projectsMax: true },
  });
  const max = projectsMax ?? usualMax;
  if ((await transaction.project.count({ where: { organizationId, deletedAt: null } })) < max) return;
  throw new AppError('permission_denied', {
    detail: `An organization can have at most ${max} projects here. Delete one, or ask the operator of this system for a higher limit.`,
  });
}
