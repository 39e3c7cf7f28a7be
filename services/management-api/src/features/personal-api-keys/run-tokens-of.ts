import type { Prisma } from '@millrace/postgres/generated/client.ts';

const shownMax = 1000;

/** Run tokens that were made with a key and run endpoints of these projects, newest first, as the API shows them at the key; never their values. */
export async function runTokensOf(
  prisma: Pick<Prisma.TransactionClient, 'endpointToken'>,
  keyId: string,
  project: Prisma.ProjectWhereInput = { deletedAt: null },
) {
  const where = { createdByKeyId: keyId, endpoint: { deletedAt: null, project } };
  const tokens = await prisma.endpointToken.findMany({
    where,
    include: { endpoint: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    take: shownMax,
  });
  return tokens.map(({ id, label, maskValue, endpoint, createdAt, expiresAt }) => ({
    id,
    label,
    mask_value: maskValue,
    project_id: endpoint.projectId,
    endpoint: endpoint.name,
    created_at: createdAt.toISOString(),
    expires_at: expiresAt?.toISOString() ?? null,
  }));
}
