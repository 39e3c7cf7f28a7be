import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { RunPrepared } from '../../../database/prepared-statements.ts';
import { containsTextInAnyCase } from '../../../database/like-pattern.ts';
import type { Listed } from '../../../lists/id-page.ts';
import { userColumn } from '../fields/user-column.ts';
import type { QueueListing, QueueOrder } from './queue-listing.ts';
import type { StoredQueue } from './stored-queue.ts';

type Reader = Pick<PrismaClient, '$queryRaw'>;

/** The live queues of a project that have these ids, in no order. */
export async function readQueues(
  runPrepared: RunPrepared,
  projectId: number,
  ids: readonly string[],
): Promise<StoredQueue[]> {
  const some = Prisma.sql`SELECT * FROM review_queues WHERE id = ANY(${[...ids]}::uuid[]) AND project_id = ${projectId} AND deleted_at IS NULL`;
  return await runPrepared<StoredQueue>('find-review-queues', withCounts(some));
}

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

/** The rows of the list. Pure. */
export function listedQueues(projectId: number, listing: QueueListing): Listed<QueueOrder> {
  const rows = Prisma.sql`FROM review_queues r WHERE ${conditions(projectId, listing)}`;
  return { rows, columns, order: listing.order, mayBeFew: listing.search !== null, areLong: false };
}

function conditions(projectId: number, { name, search }: QueueListing): Prisma.Sql {
  const parts = [Prisma.sql`r.project_id = ${projectId}`, Prisma.sql`r.deleted_at IS NULL`];
  if (name !== null) parts.push(Prisma.sql`r.name = ${name}`);
  if (search !== null) parts.push(containsTextInAnyCase(columns.name, search));
  return Prisma.join(parts, ' AND ');
}

const columns: Readonly<Record<QueueOrder | 'id', Prisma.Sql>> = {
  id: Prisma.sql`r.id`,
  name: Prisma.sql`r.name`,
  created_at: Prisma.sql`r.created_at`,
  updated_at: Prisma.sql`r.updated_at`,
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
