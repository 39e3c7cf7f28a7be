import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { makeRoom } from '../../../materialization/make-room.ts';

/**
 * Ends the pause of a version that was run again: a build is due now. Does nothing to one that was not paused. Where its project has no room,
 * it goes on without a table.
 */
export async function wake(prisma: PrismaClient, versionId: string, versionsMax: number): Promise<void> {
  await prisma.$transaction(async (transaction) => {
    // The project first, as all do that need room: else two of them could wait for one another.
    await transaction.$queryRaw`SELECT id FROM projects
      WHERE id = (SELECT project_id FROM materializations WHERE version_id = ${versionId}::uuid AND hibernated_at IS NOT NULL)
      FOR NO KEY UPDATE`;
    const [paused] = await transaction.$queryRaw<{ project_id: number }[]>`SELECT project_id FROM materializations
      WHERE version_id = ${versionId}::uuid AND hibernated_at IS NOT NULL FOR UPDATE`;
    if (paused === undefined || !(await makeRoom(transaction, paused.project_id, versionsMax))) return;
    await transaction.$executeRaw`UPDATE materializations
      SET hibernated_at = NULL, requested_at = statement_timestamp(), next_build_at = statement_timestamp()
      WHERE version_id = ${versionId}::uuid`;
  });
}
