import { randomUUID } from 'node:crypto';
import { hashKey } from '../auth/key-hash.ts';
import { newInviteToken } from '../features/invites/invite-link.ts';
import type { Seed, TestApi } from './test-api.ts';

/** Makes, if it is not there, an invite of the seed's owner into the seed's organization, and returns its id. */
export async function makeInvite({ prisma }: TestApi, { organizationId, userId }: Seed): Promise<string> {
  const targetEmail = 'fixture@example.com';
  const there = await prisma.organizationInvite.findFirst({ where: { organizationId, targetEmail } });
  return (
    there?.id ??
    (
      await prisma.organizationInvite.create({
        data: { id: randomUUID(), organizationId, targetEmail, createdById: userId },
      })
    ).id
  );
}

/**
 * Makes an invite of the address into an organization that is new each time, and returns the secret of its mailed link.
 */
export async function makeMailedInvite(
  { prisma }: TestApi,
  targetEmail = `${randomUUID()}@example.com`,
): Promise<string> {
  const token = newInviteToken();
  const organization = await prisma.organization.create({ data: { id: randomUUID(), name: 'Inviting' } });
  await prisma.organizationInvite.create({
    data: { id: randomUUID(), organizationId: organization.id, targetEmail, mailedTokenHash: hashKey(token) },
  });
  return token;
}
