import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import type { ResolvedScore } from './resolve-scores.ts';

/** Adds the scores of a review, with who saved them (contract/decisions 73). */
export async function insertScores(
  prisma: Prisma.TransactionClient,
  { reviewId, userId, now }: { reviewId: string; userId: number; now: Date },
  scores: readonly ResolvedScore[],
): Promise<void> {
  if (scores.length === 0) return;
  await prisma.traceScore.createMany({
    data: scores.map(({ definitionId, versionId, value: { field, value } }) => ({
      id: uuidV7(now.getTime()),
      reviewId,
      definitionId,
      versionId,
      ...(field === 'categorical_values' && { categoricalValues: value }),
      ...(field === 'numeric_value' && { numericValue: value }),
      ...(field === 'boolean_value' && { booleanValue: value }),
      createdById: userId,
      createdAt: now,
      updatedAt: now,
    })),
  });
}
