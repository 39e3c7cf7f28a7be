import type { PrismaClient } from '@millrace/postgres/generated/client.ts';

type Writer = Pick<PrismaClient, '$queryRaw' | '$executeRaw'>;

/** Frames that a project keeps (contract/decisions 131): with their lines some 5 kB each. */
const framesMax = 100_000;
/** Rows of one statement. */
const atOnce = 1_000;

/** Removes, of projects with more frames than they keep, those that events had longest ago. Several processes may do so at once. */
export async function sweepStackFrames(prisma: Writer, max = framesMax): Promise<void> {
  const projects = await prisma.$queryRaw<{ projectId: number }[]>`
    SELECT project_id AS "projectId" FROM stack_frames GROUP BY project_id HAVING count(*) > ${max}::integer`;
  for (const { projectId } of projects) while ((await removeSome(prisma, projectId, max)) > 0);
}

/** How many were removed. Those that others lock are being removed, or have a new use. */
async function removeSome(prisma: Writer, projectId: number, max: number): Promise<number> {
  return await prisma.$executeRaw`
    DELETE FROM stack_frames WHERE id IN (
      SELECT id FROM stack_frames WHERE id IN (
        SELECT id FROM stack_frames WHERE project_id = ${projectId} ORDER BY last_used_at DESC, id DESC OFFSET ${max}::integer LIMIT ${atOnce}::integer)
      FOR UPDATE SKIP LOCKED)`;
}
