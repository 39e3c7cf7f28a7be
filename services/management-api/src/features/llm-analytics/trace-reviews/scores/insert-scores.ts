import { Prisma } from '@millrace/postgres/generated/client.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import type { ResolvedScore } from './resolve-scores.ts';

/** Statement that adds the scores of a review, with who saved them (contract/decisions 73). */
export function insertScores(
  { reviewId, userId, now }: { reviewId: string; userId: number; now: Date },
  scores: readonly ResolvedScore[],
): Prisma.Sql {
  const rows = scores.map(({ definitionId, versionId, value: { field, value } }) => ({
    id: uuidV7(now.getTime()),
    definition_id: definitionId,
    version_id: versionId,
    [field]: value,
  }));
  return Prisma.sql`
    INSERT INTO trace_scores (id, review_id, definition_id, version_id, categorical_values, numeric_value, boolean_value, created_by_id, created_at, updated_at)
    SELECT id, ${reviewId}::uuid, definition_id, version_id, categorical_values, numeric_value, boolean_value, ${userId}::integer, ${now}::timestamptz, ${now}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      AS rows(id uuid, definition_id uuid, version_id uuid, categorical_values text[], numeric_value numeric, boolean_value boolean)`;
}
