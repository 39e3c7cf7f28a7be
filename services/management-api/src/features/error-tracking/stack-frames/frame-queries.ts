import { readLongRows } from '@millrace/http/pagination.ts';
import { Prisma, type PrismaClient } from '@millrace/postgres/generated/client.ts';
import { inOrder } from '../../../definitions/definition-queries.ts';
import type { Listed } from '../../../lists/id-page.ts';
import { withRelease, type FrameName, type StackFrameRow } from './stack-frame.ts';

type Reader = Pick<PrismaClient, '$queryRaw' | 'stackFrame'>;

/** Filters of `batch_get`; null: none. */
export interface FrameFilters {
  names: readonly FrameName[] | null;
  symbolSetId: string | null;
}

/** Frames of a project, newest first. The ids of a page come of an index: contents are long. Pure. */
export const listedFrames = (projectId: number): Listed<'created_at'> => ({
  rows: Prisma.sql`FROM stack_frames r WHERE r.project_id = ${projectId}`,
  columns: { id: Prisma.sql`r.id`, created_at: Prisma.sql`r.created_at` },
  order: [{ by: 'created_at', descending: true }],
  mayBeFew: false,
  areLong: true,
});

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
    return inOrder(part, await findFrames(prisma, projectId, part)).map(render);
  });
}

/** The frames of these ids, in any order. */
export async function findFrames(
  prisma: Pick<PrismaClient, 'stackFrame'>,
  projectId: number,
  ids: readonly string[],
): Promise<StackFrameRow[]> {
  return await prisma.stackFrame.findMany({ where: { projectId, id: { in: [...ids] } }, include: withRelease });
}
