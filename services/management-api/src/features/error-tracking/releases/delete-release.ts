import { reply } from '@millrace/http/replies/reply.ts';
import { recordActivity } from '../../../activity-log.ts';
import { projectRoute } from '../../../context.ts';
import { findRelease, raiseNoRelease, ReleaseId } from './find-release.ts';
import { describeRelease, releasesPath } from './release.ts';

export const deleteRelease = projectRoute({
  operationId: 'delete_release',
  method: 'delete',
  path: `${releasesPath}/:release_id`,
  params: { release_id: ReleaseId },
  access: { scope: 'error_tracking:write' },
  tag: 'Error tracking',
  summary: 'Delete a release',
  description: 'Its symbol sets stay, without a release.',
  responses: { 204: null },
  find: findRelease,
  async handler({ found, auth: { project, caller }, context: { prisma } }) {
    await prisma.$transaction(async (transaction) => {
      // In the order in which uploads lock them, the release first: the database itself would take the sets in any.
      await transaction.$queryRaw`SELECT FROM error_tracking_releases WHERE id = ${found.id}::uuid FOR UPDATE`;
      await transaction.$queryRaw`SELECT FROM symbol_sets WHERE release_id = ${found.id}::uuid ORDER BY ref FOR NO KEY UPDATE`;
      const { count } = await transaction.errorTrackingRelease.deleteMany({
        where: { id: found.id, projectId: project.id },
      });
      if (count === 0) raiseNoRelease(found.id);
      await recordActivity(transaction, caller, {
        organizationId: project.organizationId,
        projectId: project.id,
        itemType: 'release',
        itemId: found.id,
        activity: 'deleted',
        before: describeRelease(found),
      });
    });
    return reply(204, undefined);
  },
});
