import { randomUUID } from 'node:crypto';
import type { Seed, TestApi } from './test-api.ts';

/**
 * A plain member of the seed's organization beside its owner, whatever a question before has made of them; returns
 * their UUID.
 */
export async function makeMember({ prisma, admin }: TestApi, { organizationId, projectId }: Seed): Promise<string> {
  const email = `sample-${projectId}@example.com`;
  const there = await prisma.user.findFirst({ where: { email } });
  if (there === null)
    return (await admin.createUser({ organizationId, email, firstName: 'Sample', level: 1 })).userUuid;
  const one = { organizationId_userId: { organizationId, userId: there.id } };
  await prisma.membership.upsert({
    where: one,
    update: { level: 1 },
    create: { id: randomUUID(), organizationId, userId: there.id, level: 1 },
  });
  return there.uuid;
}
