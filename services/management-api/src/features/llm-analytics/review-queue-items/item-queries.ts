import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import { containsTextInAnyCase } from '../../../database/like-pattern.ts';
import type { Listed } from '../../../lists/id-page.ts';
import { userColumn } from '../fields/user-column.ts';
import type { ItemListing, ItemOrder } from './item-listing.ts';
import type { StoredItem } from './stored-item.ts';

type Reader = Pick<PrismaClient, '$queryRaw'>;

/** The live items of a project that have these ids, in no order. */
export async function readItems(prisma: Reader, projectId: number, ids: readonly string[]): Promise<StoredItem[]> {
  const some = Prisma.sql`SELECT * FROM review_queue_items WHERE id = ANY(${[...ids]}::uuid[]) AND project_id = ${projectId} AND deleted_at IS NULL`;
  return await prisma.$queryRaw<StoredItem[]>(withQueues(some));
}

/** The live item of a project; null: it has none with this id. */
export async function readItem(prisma: Reader, projectId: number, id: string): Promise<StoredItem | null> {
  const [found] = await readItems(prisma, projectId, [id]);
  return found ?? null;
}

/** The same for a transaction that changes the item: of two at once one waits. */
export async function lockItem(prisma: Reader, projectId: number, id: string): Promise<StoredItem | null> {
  await prisma.$queryRaw`SELECT FROM review_queue_items WHERE id = ${id}::uuid AND project_id = ${projectId} FOR NO KEY UPDATE`;
  return await readItem(prisma, projectId, id);
}

/**
 * The ones of these queues that the project has. They cannot be deleted before the transaction ends, and more of them are locked in one
 * order, so that no two transactions wait for each other.
 */
export async function lockQueues(prisma: Reader, projectId: number, ids: readonly string[]): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM review_queues WHERE id = ANY(${[...ids]}::uuid[]) AND project_id = ${projectId} AND deleted_at IS NULL
    ORDER BY review_queues.id FOR SHARE`;
  return rows.map(({ id }) => id);
}

/** The ones of these traces that have a live review. */
export async function readReviewed(prisma: Reader, projectId: number, traceIds: readonly string[]): Promise<string[]> {
  const rows = await prisma.$queryRaw<{ traceId: string }[]>`
    SELECT trace_id AS "traceId" FROM trace_reviews
    WHERE project_id = ${projectId} AND trace_id = ANY(${[...traceIds]}::text[]) AND deleted_at IS NULL`;
  return rows.map(({ traceId }) => traceId);
}

/** The rows of the list. Pure. */
export function listedItems(projectId: number, listing: ItemListing): Listed<ItemOrder> {
  const rows = Prisma.sql`FROM review_queue_items r WHERE ${conditions(projectId, listing)}`;
  return { rows, columns, order: listing.order, mayBeFew: listing.search !== null, areLong: false };
}

function conditions(projectId: number, { queueId, traceId, traceIds, search }: ItemListing): Prisma.Sql {
  const parts = [Prisma.sql`r.deleted_at IS NULL`];
  const isWholeQueue = queueId !== null && traceId === null && traceIds === null && search === null;
  // The id comes from the project's queues. Without a condition on the project the planner cannot walk the items of all queues.
  if (isWholeQueue)
    parts.push(
      Prisma.sql`r.queue_id = (SELECT id FROM review_queues WHERE id = ${queueId}::uuid AND project_id = ${projectId})`,
    );
  else parts.push(Prisma.sql`r.project_id = ${projectId}`);
  if (!isWholeQueue && queueId !== null) parts.push(Prisma.sql`r.queue_id = ${queueId}::uuid`);
  if (traceId !== null) parts.push(Prisma.sql`r.trace_id = ${traceId}`);
  if (traceIds !== null) parts.push(Prisma.sql`r.trace_id = ANY(${[...traceIds]}::text[])`);
  if (search !== null) parts.push(containsTextInAnyCase(Prisma.sql`r.trace_id`, search));
  return Prisma.join(parts, ' AND ');
}

const columns: Readonly<Record<ItemOrder | 'id', Prisma.Sql>> = {
  id: Prisma.sql`r.id`,
  created_at: Prisma.sql`r.created_at`,
  updated_at: Prisma.sql`r.updated_at`,
};

/** The items of a statement, as `StoredItem`. Pure. */
export function withQueues(items: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT i.id::text, i.project_id AS "projectId", i.queue_id::text AS "queueId", q.name AS "queueName", i.trace_id AS "traceId",
      i.created_at AS "createdAt", i.updated_at AS "updatedAt", ${userColumn('u')} AS "createdBy"
    FROM (${items}) i
    JOIN review_queues q ON q.id = i.queue_id
    LEFT JOIN users u ON u.id = i.created_by_id`;
}
