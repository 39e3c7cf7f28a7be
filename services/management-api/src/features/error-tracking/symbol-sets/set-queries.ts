import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import { containsTextInAnyCase } from '../../../database/like-pattern.ts';
import { allOf } from '../../../definitions/definition-queries.ts';
import type { Listed } from '../../../lists/id-page.ts';
import type { SetListing, SetOrder } from './set-listing.ts';
import type { StoredSet } from './symbol-set.ts';

type Reader = Pick<PrismaClient, '$queryRaw'>;

/** The sets of a project that have these ids, in no order. */
export async function readSets(prisma: Reader, projectId: number, ids: readonly string[]): Promise<StoredSet[]> {
  const found = await prisma.$queryRaw<ReadRow[]>`
    SELECT r.id::text, r.project_id AS "projectId", r.ref, r.release_id::text AS "releaseId", r.storage_key AS "storageKey",
      r.content_hash AS "contentHash", r.failure_reason AS "failureReason", r.created_at AS "createdAt", r.last_used_at AS "lastUsedAt",
      e.hash_id AS "hashId", e.version, e.project, e.metadata, e.created_at AS "releasedAt"
    FROM symbol_sets r LEFT JOIN error_tracking_releases e ON e.id = r.release_id
    WHERE r.id = ANY(${[...ids]}::uuid[]) AND r.project_id = ${projectId}`;
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

/** The rows of the list. Pure. */
export function listedSets(projectId: number, listing: SetListing): Listed<SetOrder> {
  const { search } = listing;
  const rowsOf = (given: SetListing, found?: Prisma.Sql): Prisma.Sql =>
    Prisma.sql`FROM ${setsWithUse} r WHERE ${conditions(projectId, given, found)}`;
  const common = { columns, order: [listing.order], areLong: false };
  if (search === null)
    return { ...common, rows: rowsOf(listing), mayBeFew: false, count: countOf(listing, (given) => rowsOf(given)) };
  const many = rowsOf(listing, matches(projectId, search));
  const few = hasTrigram(search) ? rowsOf(listing, matchesFew(projectId, search)) : many;
  return { ...common, rows: many, fewRows: few, mayBeFew: true };
}

/** Sets with and without a file have indexes of their own, of which each alone is counted fast. */
function countOf(listing: SetListing, rowsOf: (listing: SetListing) => Prisma.Sql): Prisma.Sql {
  const statuses = listing.status === 'all' ? (['valid', 'invalid'] as const) : [listing.status];
  const counts = statuses.map((status) => Prisma.sql`(SELECT count(*)::integer ${rowsOf({ ...listing, status })})`);
  return Prisma.join(counts, ' + ');
}

function conditions(projectId: number, { ref, status }: SetListing, found?: Prisma.Sql): Prisma.Sql {
  const parts = [Prisma.sql`r.project_id = ${projectId}`];
  if (ref !== null) parts.push(Prisma.sql`r.ref = ${ref}`);
  if (status !== 'all')
    parts.push(status === 'valid' ? Prisma.sql`r.storage_key IS NOT NULL` : Prisma.sql`r.storage_key IS NULL`);
  if (found !== undefined) parts.push(found);
  return allOf(parts);
}

/** Whether the trigram indexes may know the text: they look nothing up for shorter ones, and read all entries of the project. */
const hasTrigram = (search: string): boolean => search.length >= 3;

/** The releases are found first, and once, so that either half of the search has an index. Each row is compared with all of them in turn. */
function matchesFew(projectId: number, search: string): Prisma.Sql {
  return Prisma.sql`(r.release_id = ANY(ARRAY(${releasesWith(projectId, search)})) OR ${refContains(search)})`;
}

/** For very many rows: the releases are hashed, and looked up before the ref is read, which takes longer. */
function matches(projectId: number, search: string): Prisma.Sql {
  return Prisma.sql`(r.release_id IN (${releasesWith(projectId, search)}) OR ${refContains(search)})`;
}

const refContains = (search: string): Prisma.Sql => containsTextInAnyCase(Prisma.sql`r.ref`, search);

function releasesWith(projectId: number, search: string): Prisma.Sql {
  const texts = [Prisma.sql`e.version`, Prisma.sql`e.project`, Prisma.sql`(e.metadata #>> '{git,commit_id}')`];
  const contains = texts.map((text) => containsTextInAnyCase(text, search));
  return Prisma.sql`SELECT e.id FROM error_tracking_releases e WHERE e.project_id = ${projectId} AND (${Prisma.join(contains, ' OR ')})`;
}

/** A set without use is the oldest by use; the index has the same words. */
const setsWithUse = Prisma.sql`(SELECT *, coalesce(last_used_at, '-infinity'::timestamptz) AS used_at FROM symbol_sets)`;

const columns: Readonly<Record<SetOrder | 'id', Prisma.Sql>> = {
  id: Prisma.sql`r.id`,
  created_at: Prisma.sql`r.created_at`,
  ref: Prisma.sql`r.ref`,
  last_used: Prisma.sql`r.used_at`,
};
