import { reply } from '@millrace/http/replies/reply.ts';
import type { ErrorTrackingRelease as StoredRelease, PrismaClient } from '@millrace/postgres/generated/client.ts';
import type { Static } from 'typebox';
import { recordActivity } from '../../../activity-log.ts';
import type { ProjectAccess } from '../../../auth/granted-access.ts';
import { projectRoute } from '../../../context.ts';
import { findRelease, raiseNoRelease, ReleaseId } from './find-release.ts';
import { refuseUsedHash } from './refuse-used-hash.ts';
import { describeRelease, readMetadata, ReleaseChange, releasesPath } from './release.ts';

const common = {
  path: `${releasesPath}/:release_id`,
  params: { release_id: ReleaseId },
  access: { scope: 'error_tracking:write' },
  tag: 'Error tracking',
  body: ReleaseChange,
  responses: { 204: null },
  errors: ['release_hash_in_use'],
  find: findRelease,
} as const;

export const updateRelease = projectRoute({
  ...common,
  operationId: 'update_release',
  method: 'patch',
  summary: 'Change a release',
  handler: (input) => change(input),
});

export const replaceRelease = projectRoute({
  ...common,
  operationId: 'replace_release',
  method: 'put',
  summary: 'Change a release; fields that are missing stay as they are',
  handler: (input) => change(input),
});

interface Change {
  auth: Pick<ProjectAccess, 'project' | 'caller'>;
  context: { prisma: PrismaClient };
  found: StoredRelease;
  body: Static<typeof ReleaseChange>;
}

async function change({ auth: { project, caller }, context: { prisma }, found, body }: Change) {
  const { version, project: program, hash_id: hashId } = body;
  const metadata = readMetadata(body.metadata);
  const data = {
    ...(version !== undefined && { version }),
    ...(program !== undefined && { project: program }),
    ...(hashId !== undefined && { hashId: hashId ?? found.id }),
    ...(metadata !== undefined && { metadata }),
  };
  const where = { id: found.id, projectId: project.id };
  await refuseUsedHash(() =>
    prisma.$transaction(async (transaction) => {
      // Two changes at once wait for each other, so that each logs its own.
      await transaction.$queryRaw`SELECT FROM error_tracking_releases WHERE id = ${found.id}::uuid FOR NO KEY UPDATE`;
      const before = (await transaction.errorTrackingRelease.findFirst({ where })) ?? raiseNoRelease(found.id);
      const after = await transaction.errorTrackingRelease.update({ where, data });
      await recordActivity(transaction, caller, {
        organizationId: project.organizationId,
        projectId: project.id,
        itemType: 'release',
        itemId: found.id,
        activity: 'updated',
        before: describeRelease(before),
        after: describeRelease(after),
      });
    }),
  );
  return reply(204, undefined);
}
