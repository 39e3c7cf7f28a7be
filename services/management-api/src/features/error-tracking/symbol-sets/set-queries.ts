import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Page } from '@millrace/http/pagination.ts';
import { containsTextInAnyCase } from '../../../database/like-pattern.ts';
import { allOf } from '../../../definitions/definition-queries.ts';
import type { SetListing } from './set-listing.ts';
import type { StoredSet } from './symbol-set.ts';

type Reader = Pick<PrismaClient, '$queryRaw'>;

/** The number of sets that a list has. Sets with and without a file have indexes of their own, of which each alone is counted fast. */
export async function countSets(prisma: Reader, projectId: number, listing: SetListing): Promise<number> {
  const isWhole = listing.status === 'all' && listing.search === null;
  const statuses = isWhole ? (['valid', 'invalid'] as const) : [listing.status];
  const counts = statuses.map(
    (status) =>
      Prisma.sql`(SELECT count(*)::integer FROM symbol_sets r WHERE ${conditions(projectId, { ...listing, status })})`,
  );
  const [row] = await prisma.$queryRaw<{ count: number }[]>`SELECT ${Prisma.join(counts, ' + ')} AS count`;
  return row?.count ?? 0;
}

/** The sets of a page in their order. */
export async function readSets(
  prisma: Reader,
  projectId: number,
  listing: SetListing,
  page: Page,
): Promise<StoredSet[]> {
  const rows = Prisma.sql`FROM symbol_sets r WHERE ${conditions(projectId, listing)}`;
  const few = listing.search === null ? null : await searchFew(prisma, rows, { listing, page });
  const some =
    few === null
      ? Prisma.sql`SELECT r.* ${rows} ${inPage(listing, page)}`
      : Prisma.sql`SELECT r.* FROM symbol_sets r WHERE r.id = ANY(${few}::uuid[]) AND r.project_id = ${projectId}`;
  const found = await prisma.$queryRaw<ReadRow[]>`
    SELECT r.id::text, r.project_id AS "projectId", r.ref, r.release_id::text AS "releaseId", r.storage_key AS "storageKey",
      r.content_hash AS "contentHash", r.failure_reason AS "failureReason", r.created_at AS "createdAt", r.last_used_at AS "lastUsedAt",
      e.hash_id AS "hashId", e.version, e.project, e.metadata, e.created_at AS "releasedAt"
    FROM (${some}) r LEFT JOIN error_tracking_releases e ON e.id = r.release_id ORDER BY ${orderOf(listing)}`;
  return found.map(asStored);
}

/** A set with the columns of its release, which are null where it has none. */
type ReadRow = Omit<StoredSet, 'release'> & {
  [Name in 'hashId' | 'version' | 'project']: string | null;
} & { metadata: NonNullable<StoredSet['release']>['metadata']; releasedAt: Date | null };

function asStored({ hashId, version, project, metadata, releasedAt, ...set }: ReadRow): StoredSet {
  const { projectId, releaseId: id } = set;
  const isThere = id !== null && hashId !== null && version !== null && project !== null && releasedAt !== null;
  const release = isThere ? { id, projectId, hashId, version, project, metadata, createdAt: releasedAt } : null;
  return { ...set, release };
}

interface Wanted {
  listing: SetListing;
  page: Page;
}

/** So many matches make a page full soon on a walk through all rows in their order. */
const manyMatches = 5_000;

/**
 * The page of a search that fewer sets match; null: more do. Its rows are found once, by its indexes: the planner, which does not know how
 * few they are, would walk through all rows in their order until the page is full.
 */
async function searchFew(prisma: Reader, rows: Prisma.Sql, { listing, page }: Wanted): Promise<string[] | null> {
  const [{ count, ids } = { count: 0, ids: [] }] = await prisma.$queryRaw<{ count: number; ids: string[] }[]>`
    WITH found AS MATERIALIZED (SELECT r.id, r.ref, r.created_at, r.last_used_at ${rows} LIMIT ${manyMatches})
    SELECT (SELECT count(*)::integer FROM found) AS count, ARRAY(SELECT r.id FROM found r ${inPage(listing, page)})::text[] AS ids`;
  return count < manyMatches ? ids : null;
}

function conditions(projectId: number, { ref, search, status }: SetListing): Prisma.Sql {
  const parts = [Prisma.sql`r.project_id = ${projectId}`];
  if (ref !== null) parts.push(Prisma.sql`r.ref = ${ref}`);
  if (status !== 'all')
    parts.push(status === 'valid' ? Prisma.sql`r.storage_key IS NOT NULL` : Prisma.sql`r.storage_key IS NULL`);
  if (search !== null)
    parts.push(
      Prisma.sql`(${containsTextInAnyCase(Prisma.sql`r.ref`, search)} OR r.release_id = ANY(ARRAY(${releasesWith(projectId, search)})))`,
    );
  return allOf(parts);
}

/** Found first, and once, so that either half of the search has an index. */
function releasesWith(projectId: number, search: string): Prisma.Sql {
  const columns = [Prisma.sql`e.version`, Prisma.sql`e.project`, Prisma.sql`(e.metadata #>> '{git,commit_id}')`];
  const contains = columns.map((column) => containsTextInAnyCase(column, search));
  return Prisma.sql`SELECT e.id FROM error_tracking_releases e WHERE e.project_id = ${projectId} AND (${Prisma.join(contains, ' OR ')})`;
}

const columns = {
  created_at: Prisma.sql`r.created_at`,
  ref: Prisma.sql`r.ref`,
  last_used: Prisma.sql`coalesce(r.last_used_at, '-infinity'::timestamptz)`,
};

function orderOf({ order: { by, descending } }: SetListing): Prisma.Sql {
  const direction = descending ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  return Prisma.sql`${columns[by]} ${direction}, r.id ${direction}`;
}

function inPage(listing: SetListing, { limit, offset }: Page): Prisma.Sql {
  return Prisma.sql`ORDER BY ${orderOf(listing)} LIMIT ${limit} OFFSET ${offset}`;
}
