import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { RunPrepared } from '../../../database/prepared-statements.ts';
import { containsTextInAnyCase } from '../../../database/like-pattern.ts';
import type { Listed } from '../../../lists/id-page.ts';
import { userColumn } from '../fields/user-column.ts';
import type { ReviewListing, ReviewOrder } from './review-listing.ts';
import type { StoredReview } from './stored-review.ts';

/** The live review of a project; null: it has none with this id. */
export async function readReview(
  prisma: Pick<PrismaClient, '$queryRaw'>,
  projectId: number,
  id: string,
): Promise<StoredReview | null> {
  const one = Prisma.sql`SELECT * FROM trace_reviews WHERE id = ${id}::uuid AND project_id = ${projectId} AND deleted_at IS NULL`;
  const [found] = await prisma.$queryRaw<StoredReview[]>(withScores(one));
  return found ?? null;
}

/** The same for a transaction that changes the review: of two at once one waits. */
export async function lockReview(
  prisma: Pick<PrismaClient, '$queryRaw'>,
  projectId: number,
  id: string,
): Promise<StoredReview | null> {
  await prisma.$queryRaw`SELECT FROM trace_reviews WHERE id = ${id}::uuid AND project_id = ${projectId} FOR NO KEY UPDATE`;
  return await readReview(prisma, projectId, id);
}

/** The live reviews with these ids, in any order. */
export async function readReviews(
  runPrepared: RunPrepared,
  projectId: number,
  ids: readonly string[],
): Promise<StoredReview[]> {
  const some = Prisma.sql`SELECT * FROM trace_reviews WHERE id = ANY(${[...ids]}::uuid[]) AND project_id = ${projectId} AND deleted_at IS NULL`;
  return await runPrepared<StoredReview>('find-trace-reviews', withScores(some));
}

/** The rows of the list. Pure. */
export function listedReviews(projectId: number, listing: ReviewListing): Listed<ReviewOrder> {
  const rows = Prisma.sql`FROM trace_reviews r WHERE ${conditions(projectId, listing)}`;
  const count = countScored(projectId, listing);
  return { rows, columns, order: listing.order, mayBeFew: listing.search !== null, count, areLong: true };
}

/**
 * The number of reviews with a score of one definition, when nothing else is asked; else null. It is that of its scores, of which a review has
 * one, but for those of deleted reviews, which are few: to look for the review of each score takes ten times as long.
 */
function countScored(projectId: number, { definitionId, definitionIds, ...others }: ReviewListing): Prisma.Sql | null {
  const [id, ...more] = [...(definitionId === null ? [] : [definitionId]), ...(definitionIds ?? [])];
  const { traceId, traceIds, search } = others;
  if (id === undefined || more.length > 0 || traceId !== null || traceIds !== null || search !== null) return null;
  return Prisma.sql`(
    (SELECT count(*) FROM score_definitions d JOIN trace_scores s ON s.definition_id = d.id WHERE d.id = ${id}::uuid AND d.project_id = ${projectId})
    - (SELECT count(*) FROM trace_reviews r JOIN trace_scores s ON s.review_id = r.id
      WHERE r.project_id = ${projectId} AND r.deleted_at IS NOT NULL AND s.definition_id = ${id}::uuid))::integer`;
}

function conditions(projectId: number, listing: ReviewListing): Prisma.Sql {
  const { traceId, traceIds, definitionId, definitionIds, search } = listing;
  const parts = [Prisma.sql`r.project_id = ${projectId}`, Prisma.sql`r.deleted_at IS NULL`];
  if (traceId !== null) parts.push(Prisma.sql`r.trace_id = ${traceId}`);
  if (traceIds !== null) parts.push(Prisma.sql`r.trace_id = ANY(${[...traceIds]}::text[])`);
  for (const ids of [definitionId === null ? null : [definitionId], definitionIds])
    if (ids !== null)
      parts.push(
        Prisma.sql`EXISTS (SELECT FROM trace_scores s WHERE s.review_id = r.id AND s.definition_id = ANY(${[...ids]}::uuid[]))`,
      );
  if (search !== null) {
    const [inTrace, inComment] = [Prisma.sql`r.trace_id`, Prisma.sql`r.comment`].map((column) =>
      containsTextInAnyCase(column, search),
    );
    parts.push(Prisma.sql`(${inTrace} OR ${inComment})`);
  }
  return Prisma.join(parts, ' AND ');
}

const columns: Readonly<Record<ReviewOrder | 'id', Prisma.Sql>> = {
  id: Prisma.sql`r.id`,
  created_at: Prisma.sql`r.created_at`,
  updated_at: Prisma.sql`r.updated_at`,
};

/** The reviews of a statement, as `StoredReview`. Pure. */
export function withScores(reviews: Prisma.Sql, scores = Prisma.sql`trace_scores`): Prisma.Sql {
  return Prisma.sql`
    SELECT r.id::text, r.project_id AS "projectId", r.trace_id AS "traceId", r.comment, r.created_at AS "createdAt", r.updated_at AS "updatedAt",
      ${userColumn('creator')} AS "createdBy", ${userColumn('reviewer')} AS "reviewedBy",
      coalesce((SELECT json_agg(json_build_object('id', s.id, 'definitionId', d.id, 'definitionName', d.name, 'definitionKind', d.kind,
          'definitionArchived', d.archived, 'versionId', v.id, 'version', v.version, 'config', v.config,
          'categoricalValues', s.categorical_values, 'numericValue', s.numeric_value::text, 'booleanValue', s.boolean_value,
          'createdAt', s.created_at, 'updatedAt', s.updated_at) ORDER BY d.name, s.id)
        FROM ${scores} s JOIN score_definitions d ON d.id = s.definition_id JOIN score_definition_versions v ON v.id = s.version_id
        WHERE s.review_id = r.id), '[]') AS scores
    FROM (${reviews}) r
    LEFT JOIN users creator ON creator.id = r.created_by_id
    LEFT JOIN users reviewer ON reviewer.id = r.reviewed_by_id`;
}
