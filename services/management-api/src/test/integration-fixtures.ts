import { randomUUID } from 'node:crypto';
import type { Seed, TestApi } from './test-api.ts';

/** Makes, if it is not there, an integration of the seed's organization, to which project 1 then belongs: the least body names it. */
export async function makeIntegration({ prisma, admin }: TestApi, { organizationId }: Seed): Promise<string> {
  const project = { organizationId, deletedAt: null };
  await prisma.project.upsert({
    where: { id: 1 },
    create: { id: 1, uuid: randomUUID(), name: 'Mapped', apiToken: 'phc_mapped', ...project },
    update: project,
  });
  const there = await prisma.organizationIntegration.findFirst({ where: { organizationId } });
  return (
    there?.id ??
    (
      await admin.installIntegration({
        organizationId,
        kind: 'vercel',
        integrationId: 'icfg_fixture',
        config: { type: 'connectable' },
      })
    ).id
  );
}
