import type { Page } from '@millrace/http/pagination.ts';
import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import { containsTextInAnyCase } from '../../../database/like-pattern.ts';
import { orderBy } from '../fields/list-order.ts';
import { userColumn } from '../fields/user-column.ts';
import type { QueueListing, QueueOrder } from './queue-listing.ts';
import type { StoredQueue } from './stored-queue.ts';

type Reader = Pick<PrismaClient, '$queryRaw'>;

/** The live queue of a project; null: it has none with this id. */
export async function readQueue(prisma: Reader, projectId: number, id: string): Promise<StoredQueue | null> {
  const one = Prisma.sql`SELECT * FROM review_queues WHERE id = ${id}::uuid AND project_id = ${projectId} AND deleted_at IS NULL`;
  const [found] = await prisma.$queryRaw<StoredQueue[]>(withCounts(one));
  return found ?? null;
}

/**
 * The same for a transaction that changes the queue: of two at once one waits, and so do those that put items into it, which lock it
 * for share.
 */
export async function lockQueue(prisma: Reader, projectId: number, id: string): Promise<StoredQueue | null> {
  await prisma.$queryRaw`SELECT FROM review_queues WHERE id = ${id}::uuid AND project_id = ${projectId} FOR NO KEY UPDATE`;
  return await readQueue(prisma, projectId, id);
}

/** Statement of a page of the list. Pure. */
export function queuePage(projectId: number, listing: QueueListing, { limit, offset }: Page): Prisma.Sql {
  const sorting = orderBy(listing.order, columns);
  const found = Prisma.sql`SELECT q.* FROM review_queues q WHERE ${conditions(projectId, listing)}`;
  // A search that few match is found by its index. The planner would rather walk all of them in their order until the page is full.
  const source =
    listing.search === null ? found : Prisma.sql`WITH found AS MATERIALIZED (${found}) SELECT q.* FROM found q`;
  return Prisma.sql`${withCounts(Prisma.sql`${source} ORDER BY ${sorting} LIMIT ${limit} OFFSET ${offset}`)} ORDER BY ${sorting}`;
}

/** Statement of the number of queues on all pages. Pure. */
export function countQueues(projectId: number, listing: QueueListing): Prisma.Sql {
  return Prisma.sql`SELECT count(*)::integer AS count FROM review_queues q WHERE ${conditions(projectId, listing)}`;
}

function conditions(projectId: number, { name, search }: QueueListing): Prisma.Sql {
  const parts = [Prisma.sql`q.project_id = ${projectId}`, Prisma.sql`q.deleted_at IS NULL`];
  if (name !== null) parts.push(Prisma.sql`q.name = ${name}`);
  if (search !== null) parts.push(containsTextInAnyCase(columns.name, search));
  return Prisma.join(parts, ' AND ');
}

const columns: Readonly<Record<QueueOrder | 'id', Prisma.Sql>> = {
  id: Prisma.sql`q.id`,
  name: Prisma.sql`q.name`,
  created_at: Prisma.sql`q.created_at`,
  updated_at: Prisma.sql`q.updated_at`,
};

/**
 * The queues of a statement, as `StoredQueue`. Items are counted by an index of live ones: a count kept in the row would be written by
 * all reviewers of a queue, one after the other.
 */
function withCounts(queues: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`
    SELECT q.id::text, q.project_id AS "projectId", q.name, q.created_at AS "createdAt", q.updated_at AS "updatedAt",
      (SELECT count(*)::integer FROM review_queue_items i WHERE i.queue_id = q.id AND i.deleted_at IS NULL) AS "pendingItemCount",
      ${userColumn('u')} AS "createdBy"
    FROM (${queues}) q
    LEFT JOIN users u ON u.id = q.created_by_id`;
}
