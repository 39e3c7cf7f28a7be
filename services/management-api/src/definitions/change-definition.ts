import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Clock } from '@millrace/runtime/clock.ts';
import { recordActivity } from '../activity-log.ts';
import type { ProjectAccess } from '../auth/granted-access.ts';
import type { StoredDefinition } from './definition.ts';

/** A part of a transaction. */
type Transaction = Prisma.TransactionClient;

/** A change that is made by a member, and by whom and when the definition says. */
type Change<Columns> = Columns & { updatedAt: Date; updatedById: number };

interface DefinitionChange<Row, Columns> {
  id: string;
  itemType: 'event_definition' | 'property_definition';
  /** Throws `AppError` when it is unknown, or of another project. */
  find: (prisma: Transaction) => Promise<Row>;
  /** Columns that change; none: nothing is written. */
  changeOf: (before: Row, by: { userId: number; now: Date }) => Columns;
  update: (prisma: Transaction, data: Change<Columns>) => Promise<Row>;
  /** Fields that the activity log shows. */
  logged: (row: Row) => Record<string, unknown>;
}

/** Changes a definition, and records it in the activity log, in one transaction. Throws what `find` and Prisma throw. */
export async function changeDefinition<Row extends StoredDefinition, Columns extends object>(
  { prisma: client, clock }: { prisma: PrismaClient; clock: Clock },
  { caller, project }: ProjectAccess,
  { id, itemType, find, changeOf, update, logged }: DefinitionChange<Row, Columns>,
): Promise<Row> {
  const now = new Date(clock.nowMs());
  const { userId } = caller;
  return await client.$transaction(async (prisma) => {
    // One of two changes at once waits, so that what is written down as before is what was there before.
    await prisma.$queryRaw`SELECT FROM ${Prisma.raw(`${itemType}s`)} WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
    const before = await find(prisma);
    const columns = changeOf(before, { userId, now });
    if (Object.keys(columns).length === 0) return before;
    const after = await update(prisma, { ...columns, updatedAt: now, updatedById: userId });
    await recordActivity(prisma, caller, {
      organizationId: project.organizationId,
      projectId: project.id,
      itemType,
      itemId: before.id,
      activity: 'updated',
      before: logged(before),
      after: logged(after),
    });
    return after;
  });
}
