import { readLongRows, type Page } from '@millrace/http/pagination.ts';
import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import { inOrder } from '../definitions/definition-queries.ts';
import { orderBy, type Order } from './list-order.ts';

/** The rows `r` of a list. */
export interface Listed<Name extends string> {
  /** `FROM` and `WHERE`. */
  rows: Prisma.Sql;
  /** The same rows in words by which indexes find them when they are few. Default: `rows`. */
  fewRows?: Prisma.Sql;
  columns: Readonly<Record<Name | 'id', Prisma.Sql>>;
  order: readonly Order<Name>[];
  /** A search, or another filter that few rows may match, which are found by an index of its own. */
  mayBeFew: boolean;
  /** Their number as an expression, where there is a faster one than to count them. */
  count?: Prisma.Sql | null;
  /** Each row may be of a megabyte. */
  areLong: boolean;
}

type Reader = Pick<PrismaClient, '$queryRaw'>;

/**
 * The rows of a page in their order, which `read` finds by id, and the number of rows on all pages. Most of the time goes into the exact
 * count, so it is made beside the page, over a connection of its own. A page of long rows ends early (`readLongRows`).
 */
export async function readIdPage<Row extends { id: string }, Name extends string>(
  prisma: Reader,
  listed: Listed<Name>,
  page: Page,
  read: (ids: readonly string[]) => Promise<Row[]>,
): Promise<{ count: number; rows: Row[] }> {
  const readRows = (ids: readonly string[]): Promise<Row[]> => readByIds(ids, read, listed.areLong);
  const few = listed.mayBeFew ? await searchFew(prisma, listed, page) : null;
  if (few !== null) return { count: few.count, rows: await readRows(few.ids) };
  const [count, rows] = await Promise.all([
    readCount(prisma, listed),
    readIds(prisma, listed, page).then((ids) => readRows(ids)),
  ]);
  return { count, rows };
}

/** The rows of a page as above, which nobody counts. */
export async function readUncountedPage<Row extends { id: string }, Name extends string>(
  prisma: Reader,
  listed: Listed<Name>,
  page: Page,
  read: (ids: readonly string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const few = listed.mayBeFew ? await searchFew(prisma, listed, page) : null;
  return await readByIds(few?.ids ?? (await readIds(prisma, listed, page)), read, listed.areLong);
}

async function readByIds<Row extends { id: string }>(
  ids: readonly string[],
  read: (ids: readonly string[]) => Promise<Row[]>,
  areLong: boolean,
): Promise<Row[]> {
  const readPart = async (part: readonly string[]): Promise<Row[]> =>
    part.length === 0 ? [] : inOrder(part, await read(part));
  if (!areLong) return await readPart(ids);
  return await readLongRows({ limit: ids.length, offset: 0 }, ({ limit, offset }) =>
    readPart(ids.slice(offset, offset + limit)),
  );
}

async function readCount<Name extends string>(prisma: Reader, { rows, count }: Listed<Name>): Promise<number> {
  const counted = count ?? Prisma.sql`(SELECT count(*)::integer ${rows})`;
  const [row] = await prisma.$queryRaw<{ count: number }[]>`SELECT ${counted} AS count`;
  return row?.count ?? 0;
}

async function readIds<Name extends string>(prisma: Reader, listed: Listed<Name>, page: Page): Promise<string[]> {
  const ids = Prisma.sql`SELECT r.id ${listed.rows} ${inPage(listed, page)}`;
  const [row] = await prisma.$queryRaw<{ ids: string[] }[]>`SELECT ${asTexts(ids)} AS ids`;
  return row?.ids ?? [];
}

/** Not `id::text` in the statement itself, which would also make the texts of all ids before the page. */
const asTexts = (ids: Prisma.Sql): Prisma.Sql => Prisma.sql`ARRAY(${ids})::text[]`;

function inPage<Name extends string>({ order, columns }: Listed<Name>, { limit, offset }: Page): Prisma.Sql {
  return Prisma.sql`ORDER BY ${orderBy(order, columns)} LIMIT ${limit} OFFSET ${offset}`;
}

/** So many matches make a page full soon on a walk through all rows in their order. */
const manyMatches = 5_000;

/**
 * The page of a search that fewer rows match; null: more do. Its rows are found once, by its index: the planner, which does not know how few
 * they are, would walk through all rows in their order until the page is full.
 */
async function searchFew<Name extends string>(
  prisma: Reader,
  listed: Listed<Name>,
  page: Page,
): Promise<{ count: number; ids: string[] } | null> {
  const selected = Prisma.join(Object.values<Prisma.Sql>(listed.columns));
  const [{ count, ids } = { count: 0, ids: [] }] = await prisma.$queryRaw<{ count: number; ids: string[] }[]>`
    WITH found AS MATERIALIZED (SELECT ${selected} ${listed.fewRows ?? listed.rows} LIMIT ${manyMatches})
    SELECT (SELECT count(*)::integer FROM found) AS count, ${asTexts(Prisma.sql`SELECT r.id FROM found r ${inPage(listed, page)}`)} AS ids`;
  return count < manyMatches ? { count, ids } : null;
}
