import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';

/**
 * Most stored summaries of a project, and most bytes of them as they are stored. A key may make 200 in an hour, the time that one is kept; most
 * have some kilobytes, the largest a few megabytes.
 */
const usualBounds = { countMax: 2_000, bytesMax: 134_217_728 };

/** Deletes the oldest stored summaries of a project that are beyond the bounds, but for the newest and those that are being made anew. */
export async function boundSummaries(
  database: Pick<PrismaClient, '$executeRaw'>,
  projectId: number,
  { countMax, bytesMax } = usualBounds,
): Promise<void> {
  await database.$executeRaw(Prisma.sql`
    DELETE FROM trace_summaries WHERE ctid = ANY(ARRAY(
      SELECT id FROM (
        SELECT ctid AS id, claimed_until, row_number() OVER newest AS place, sum(octet_length(reply_gzip)) OVER newest AS bytes
        FROM trace_summaries WHERE project_id = ${projectId} AND reply_gzip IS NOT NULL
        WINDOW newest AS (ORDER BY computed_at DESC, entity_id, entity_type, mode, model ROWS UNBOUNDED PRECEDING)) AS stored
      WHERE place > 1 AND (place > ${countMax} OR bytes > ${bytesMax})
        AND (claimed_until IS NULL OR claimed_until <= statement_timestamp())))`);
}
