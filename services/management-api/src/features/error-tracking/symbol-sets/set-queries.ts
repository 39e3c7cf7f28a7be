import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Page } from '@millrace/http/pagination.ts';
import { containsTextInAnyCase } from '../../../database/like-pattern.ts';
import { allOf, inOrder } from '../../../definitions/definition-queries.ts';
import type { SetListing } from './set-listing.ts';
import { withRelease, type StoredSet } from './symbol-set.ts';

type Reader = Pick<PrismaClient, '$queryRaw' | 'symbolSet'>;

/** The number of sets that a list has. */
export async function countSets(prisma: Reader, projectId: number, listing: SetListing): Promise<number> {
  const [row] = await prisma.$queryRaw<{ count: number }[]>`
    SELECT count(*)::integer AS count FROM symbol_sets r WHERE ${conditions(projectId, listing)}`;
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
  const ids =
    (listing.search === null ? null : await searchFew(prisma, rows, { listing, page })) ??
    (await readIds(prisma, rows, { listing, page }));
  const found = await prisma.symbolSet.findMany({ where: { id: { in: ids }, projectId }, ...withRelease });
  return inOrder(ids, found);
}

interface Wanted {
  listing: SetListing;
  page: Page;
}

async function readIds(prisma: Reader, rows: Prisma.Sql, { listing, page }: Wanted): Promise<string[]> {
  const found = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM (SELECT r.id ${rows} ${inPage(listing, page)}) page`;
  return found.map(({ id }) => id);
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

function inPage({ order: { by, descending } }: SetListing, { limit, offset }: Page): Prisma.Sql {
  const direction = descending ? Prisma.sql`DESC` : Prisma.sql`ASC`;
  return Prisma.sql`ORDER BY ${columns[by]} ${direction}, r.id ${direction} LIMIT ${limit} OFFSET ${offset}`;
}
