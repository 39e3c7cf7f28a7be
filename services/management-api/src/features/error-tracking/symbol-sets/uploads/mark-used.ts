import type { PrismaClient } from '@millrace/postgres/generated/client.ts';

/** Marks sets as used, unless they were in the last 12 hours. */
export async function markUsed(
  prisma: Pick<PrismaClient, '$executeRaw'>,
  { projectId, refs, now }: { projectId: number; refs: readonly string[]; now: Date },
): Promise<void> {
  if (refs.length === 0) return;
  const before = new Date(now.getTime() - 12 * 3_600_000);
  // In their order: of two calls with the same sets one waits for the other.
  await prisma.$executeRaw`
    UPDATE symbol_sets SET last_used_at = ${now} WHERE id IN (
      SELECT id FROM symbol_sets WHERE project_id = ${projectId} AND ref = ANY(${[...refs]}) AND (last_used_at IS NULL OR last_used_at < ${before})
      ORDER BY ref FOR NO KEY UPDATE)`;
}
