import { Prisma } from '@millrace/postgres/generated/client.ts';
import { insertActivity } from '../../../activity-log.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import { clearQueue } from './clear-queue.ts';
import { withScores } from './review-queries.ts';
import { insertScores } from './scores/insert-scores.ts';
import type { ResolvedScore } from './scores/resolve-scores.ts';

/** A review that is to be made. */
export interface NewReview {
  id: string;
  traceId: string;
  comment: string | null;
  scores: readonly ResolvedScore[];
  /** The trace leaves this queue only; null: whichever it waits in. */
  queueId: string | null;
  now: Date;
}

/**
 * Statement that makes a review with its scores and its entry in the activity log, takes the trace out of its queue, and returns the
 * `StoredReview`. It is a transaction of its own: the project is free again before its reply is sent, however busy this process is. The
 * rows of the review and its scores come before the lock of the project, and so does a unique violation, of a trace with a live review. The
 * entry in the log, the triggers (half a millisecond together) and the commit come after it. Pure.
 */
export function insertReview(
  { caller, project }: ProjectAccess,
  { id, traceId, comment, scores, queueId, now }: NewReview,
): Prisma.Sql {
  const { userId } = caller;
  const logged = insertActivity(caller, {
    organizationId: project.organizationId,
    projectId: project.id,
    itemType: 'trace_review',
    itemId: id,
    activity: 'created',
    // The actor is the reviewer.
    after: {
      trace_id: traceId,
      comment,
      scores: scores.map(({ definitionId, version, value: { value } }) => ({
        definition_id: definitionId,
        definition_version: version,
        value,
      })),
    },
  });
  return Prisma.sql`
    WITH made AS (
      INSERT INTO trace_reviews (id, project_id, trace_id, comment, created_by_id, reviewed_by_id, created_at, updated_at)
      VALUES (${id}::uuid, ${project.id}::integer, ${traceId}, ${comment}::text, ${userId}::integer, ${userId}::integer, ${now}::timestamptz, ${now}::timestamptz)
      RETURNING *),
    scored AS (${insertScores({ reviewId: id, userId, now }, scores)} RETURNING *),
    logged AS (${logged})
    SELECT stored.*, ${clearQueue({ projectId: project.id, traceId, queueId, now })}
    FROM (${withScores(Prisma.sql`SELECT * FROM made`, Prisma.sql`scored`)}) stored`;
}
