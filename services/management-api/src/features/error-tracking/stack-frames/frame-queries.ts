import { readLongRows, type Page } from '@millrace/http/pagination.ts';
import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import { inOrder } from '../../../definitions/definition-queries.ts';
import { withRelease, type FrameName, type StackFrameRow } from './stack-frame.ts';

type Reader = Pick<PrismaClient, '$queryRaw' | 'stackFrame'>;

/** Filters of `batch_get`; null: none. */
export interface FrameFilters {
  names: readonly FrameName[] | null;
  symbolSetId: string | null;
}

/** The ids of a page of the project's frames, newest first. They come of an index: contents are long. */
export async function readFrameIds(prisma: Reader, projectId: number, { limit, offset }: Page): Promise<string[]> {
  // Not `id::text` in the inner statement, which would make the texts of all ids before the page as well.
  const [page] = await prisma.$queryRaw<{ ids: string[] }[]>`
    SELECT ARRAY(
      SELECT id FROM stack_frames WHERE project_id = ${projectId}
      ORDER BY created_at DESC, id DESC LIMIT ${limit} OFFSET ${offset})::text[] AS ids`;
  return page?.ids ?? [];
}

/** The ids of the newest frames that pass all filters. A name that there is not is left out. */
export async function findFrameIds(
  prisma: Reader,
  projectId: number,
  { names, symbolSetId }: FrameFilters,
  limit: number,
): Promise<string[]> {
  const conditions = [Prisma.sql`f.project_id = ${projectId}`];
  if (symbolSetId !== null) conditions.push(Prisma.sql`f.symbol_set_id = ${symbolSetId}::uuid`);
  if (names !== null)
    conditions.push(
      Prisma.sql`(f.hash, f.part) IN (SELECT * FROM unnest(${names.map(({ hash }) => hash)}::text[], ${names.map(({ part }) => part)}::integer[]))`,
    );
  const rows = await prisma.$queryRaw<{ id: string }[]>`
    SELECT f.id::text FROM stack_frames f WHERE ${Prisma.join(conditions, ' AND ')}
    ORDER BY f.created_at DESC, f.id DESC LIMIT ${limit}`;
  return rows.map(({ id }) => id);
}

/** The frames in the order of their ids; so many that the answer has a bounded size, at least one (`readLongRows`). */
export async function readFrames<Shown>(
  prisma: Reader,
  projectId: number,
  ids: readonly string[],
  render: (row: StackFrameRow) => Shown,
): Promise<Shown[]> {
  return await readLongRows({ limit: ids.length, offset: 0 }, async ({ limit, offset }) => {
    const part = ids.slice(offset, offset + limit);
    const rows = await prisma.stackFrame.findMany({ where: { projectId, id: { in: part } }, include: withRelease });
    return inOrder(part, rows).map(render);
  });
}
