import { readLongRows, type Page } from '@millrace/http/pagination.ts';
import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import { inOrder } from '../../../definitions/definition-queries.ts';
import { orderBy, type Order } from './list-order.ts';

/** The rows `r` of a list. */
interface Listed<Name extends string> {
  /** `FROM` and `WHERE`. */
  rows: Prisma.Sql;
  columns: Readonly<Record<Name | 'id', Prisma.Sql>>;
  order: readonly Order<Name>[];
  /** A search: few rows may match it. */
  isSearch: boolean;
}

/** A row of the statement of a page. */
interface IdPage {
  /** Number of rows on all pages. */
  count: number;
  ids: string[];
}

/** Statement of the ids on a page, and of the number of rows on all pages. Pure. */
export function idPage<Name extends string>(
  { rows, columns, order, isSearch }: Listed<Name>,
  { limit, offset }: Page,
): Prisma.Sql {
  const page = Prisma.sql`ORDER BY ${orderBy(order, columns)} LIMIT ${limit} OFFSET ${offset}`;
  if (!isSearch)
    return Prisma.sql`SELECT (SELECT count(*)::integer ${rows}) AS count, ARRAY(SELECT r.id::text ${rows} ${page}) AS ids`;
  // A search is done once, by its index. The planner would rather walk all rows in their order until the page is full.
  return Prisma.sql`
    WITH found AS MATERIALIZED (SELECT ${Prisma.join(Object.values<Prisma.Sql>(columns))} ${rows})
    SELECT (SELECT count(*)::integer FROM found) AS count, ARRAY(SELECT r.id::text FROM found r ${page}) AS ids`;
}

/**
 * The rows of a page in their order, which `read` finds by id, and the number of rows on all pages. A page of long rows ends early
 * (`readLongRows`).
 */
export async function readIdPage<Row extends { id: string }>(
  prisma: Pick<PrismaClient, '$queryRaw'>,
  statement: Prisma.Sql,
  read: (ids: readonly string[]) => Promise<Row[]>,
): Promise<{ count: number; rows: Row[] }> {
  const [{ count, ids } = { count: 0, ids: [] }] = await prisma.$queryRaw<IdPage[]>(statement);
  const rows = await readLongRows({ limit: ids.length, offset: 0 }, async ({ limit, offset }) => {
    const part = ids.slice(offset, offset + limit);
    return inOrder(part, await read(part));
  });
  return { count, rows };
}
