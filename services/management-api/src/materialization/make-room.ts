import { AppError } from '@millrace/http/errors/errors.ts';
import { Prisma } from '@millrace/postgres/generated/client.ts';
import { toHibernation } from './hibernate.ts';

type Transaction = Pick<Prisma.TransactionClient, 'materialization' | '$queryRaw' | '$executeRaw'>;

/**
 * Is there room in the project for one more materialized version? Old versions that nobody has run since they were replaced make room: they
 * hibernate, those first that were not run for longest, and nobody's edits use the limit up. Versions that hibernate have no table and do
 * not count. Projects are looked at one request after the other, until the transaction ends.
 */
export async function makeRoom(transaction: Transaction, projectId: number, versionsMax: number): Promise<boolean> {
  await transaction.$queryRaw`SELECT id FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`;
  const awake = await transaction.materialization.count({ where: { projectId, hibernatedAt: null } });
  const excess = awake + 1 - versionsMax;
  if (excess <= 0) return true;
  // A run that began before the newer version is recorded a little after it.
  const hibernated = await transaction.$executeRaw`UPDATE materializations m ${Prisma.raw(toHibernation)}
    FROM (
      SELECT o.id
      FROM materializations o
      JOIN endpoint_versions v ON v.id = o.version_id
      JOIN endpoint_versions n ON n.endpoint_id = v.endpoint_id AND n.version = v.version + 1
      WHERE o.project_id = ${projectId} AND o.hibernated_at IS NULL
        AND (v.last_executed_at IS NULL OR v.last_executed_at < n.created_at + interval '1 minute')
      ORDER BY v.last_executed_at NULLS FIRST, v.created_at LIMIT ${excess}
    ) unused
    WHERE m.id = unused.id`;
  return hibernated >= excess;
}

/** The 400 for a version beyond the most of its project. */
export function tooManyVersions(versionsMax: number): AppError {
  return new AppError('invalid_input', { attr: 'is_materialized', detail: tooManyWords(versionsMax) });
}

/** The sentence about a version beyond the most of its project. */
export const tooManyWords = (versionsMax: number): string =>
  `A project may have ${versionsMax} materialized versions, and this one has no room for another. Send is_materialized false for a version that needs no table.`;
