import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { recordActivity } from '../../../activity-log.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import type { Context } from '../../../context.ts';
import type { DefinitionFields } from './definition-fields.ts';
import { lockDefinition, readDefinition } from './definition-queries.ts';
import { raiseNotFound } from './find-score-definition.ts';
import { loggedDefinition } from './score-definition.ts';
import type { StoredDefinition } from './stored-definition.ts';

/** Columns that a change sets. */
type Columns = DefinitionFields & { currentVersion?: number };

interface Change {
  id: string;
  /** Columns to set, of the definition as it is now; `{}`: nothing changes. It may write what belongs to them. */
  change: (prisma: Prisma.TransactionClient, before: StoredDefinition, now: Date) => Promise<Columns> | Columns;
}

/**
 * Changes a definition and records that in the activity log, in one transaction; of two changes at once one waits for the other.
 * `updated_at` only moves when a column changes.
 * @throws {AppError} not_found, and what `change` throws
 */
export async function changeScoreDefinition(
  { prisma: client, clock }: Pick<Context, 'prisma' | 'clock'>,
  { caller, project }: ProjectAccess,
  { id, change }: Change,
): Promise<StoredDefinition> {
  return await client.$transaction(async (prisma) => {
    const before = (await lockDefinition(prisma, project.id, id)) ?? raiseNotFound(id);
    const now = new Date(clock.nowMs());
    const columns = await change(prisma, before, now);
    if (Object.keys(columns).length === 0) return before;
    await prisma.scoreDefinition.updateMany({
      where: { id, projectId: project.id },
      data: { ...columns, updatedAt: now },
    });
    const after = (await readDefinition(prisma, project.id, id)) ?? raiseNotFound(id);
    await recordActivity(prisma, caller, {
      organizationId: project.organizationId,
      projectId: project.id,
      itemType: 'score_definition',
      itemId: id,
      activity: 'updated',
      before: loggedDefinition(before),
      after: loggedDefinition(after),
    });
    return after;
  });
}

/** The fields whose value is another one than that of the definition. Pure. */
export function changedFields(before: StoredDefinition, fields: DefinitionFields): DefinitionFields {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([name, value]) => JSON.stringify(before[name as keyof DefinitionFields]) !== JSON.stringify(value),
    ),
  );
}
