import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';

/**
 * Refuses a materialized version beyond the most of its project. Versions that are enabled at the same time are counted one after the other.
 * @throws {AppError} 400 with the figure
 */
export async function refuseTooMany(
  transaction: Pick<Prisma.TransactionClient, 'materialization' | '$queryRaw'>,
  projectId: number,
  versionsMax: number,
): Promise<void> {
  await transaction.$queryRaw`SELECT id FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`;
  const count = await transaction.materialization.count({ where: { projectId } });
  if (count >= versionsMax)
    throw new AppError('invalid_input', {
      attr: 'is_materialized',
      detail: `A project may have ${versionsMax} materialized versions, and this one has ${count}. Send is_materialized false for a version that needs no table.`,
    });
}
