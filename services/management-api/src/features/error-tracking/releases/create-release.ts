import { reply } from '@millrace/http/replies/reply.ts';
import { uuidV7 } from '@millrace/runtime/ids.ts';
import { recordActivity } from '../../../activity-log.ts';
import { projectRoute } from '../../../context.ts';
import { refuseUsedHash } from './refuse-used-hash.ts';
import { describeRelease, readMetadata, Release, ReleaseBody, releasesPath, renderRelease } from './release.ts';

export const createRelease = projectRoute({
  operationId: 'create_release',
  method: 'post',
  path: releasesPath,
  access: { scope: 'error_tracking:write' },
  tag: 'Error tracking',
  summary: 'Make a release, a build of a program',
  body: ReleaseBody,
  responses: { 201: Release },
  errors: ['release_hash_in_use'],
  async handler({ auth: { project, caller }, context: { prisma, clock }, body }) {
    const createdAt = new Date(clock.nowMs());
    const id = uuidV7(createdAt.getTime());
    const metadata = readMetadata(body.metadata);
    const data = {
      id,
      projectId: project.id,
      hashId: body.hash_id ?? id,
      version: body.version,
      project: body.project,
      ...(metadata !== undefined && { metadata }),
      createdAt,
    };
    const made = await refuseUsedHash(() =>
      prisma.$transaction(async (transaction) => {
        const release = await transaction.errorTrackingRelease.create({ data });
        await recordActivity(transaction, caller, {
          organizationId: project.organizationId,
          projectId: project.id,
          itemType: 'release',
          itemId: id,
          activity: 'created',
          after: describeRelease(release),
        });
        return release;
      }),
    );
    return reply(201, renderRelease(made));
  },
});
