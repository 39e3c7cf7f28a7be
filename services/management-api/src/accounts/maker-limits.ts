import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';

/**
 * Maximum of each that one user may have made (of invites, in each organization): all of them end within one
 * transaction, with the membership or the account of their maker (`removeMember`, `claimAccount`).
 */
const makerLimits = { invites: 10_000, keys: 10_000, runTokens: 50_000 } as const;

/** Checks the limit of pending invites, in the transaction that makes them, with the organization locked. @throws {AppError} permission_denied */
export async function refuseMoreInvites(
  transaction: Prisma.TransactionClient,
  { organizationId, userId, more }: { organizationId: string; userId: number | null; more: number },
): Promise<void> {
  if (userId === null) return;
  const max = makerLimits.invites;
  if (
    (await transaction.organizationInvite.count({ where: { organizationId, createdById: userId }, take: max })) + more >
    max
  )
    throw tooMany('pending invites in an organization', max);
}

/** Checks the limit of run tokens, in the transaction that makes them, with the user locked. @throws {AppError} permission_denied */
export async function refuseMoreRunTokens(transaction: Prisma.TransactionClient, userId: number): Promise<void> {
  const max = makerLimits.runTokens;
  if ((await transaction.endpointToken.count({ where: { createdById: userId }, take: max })) >= max)
    throw tooMany('run tokens', max);
}

/** Checks the limit of keys, in the transaction that makes them, with the user locked. @throws {AppError} permission_denied */
export async function refuseMoreKeys(transaction: Prisma.TransactionClient, userId: number): Promise<void> {
  const max = makerLimits.keys;
  if ((await transaction.personalApiKey.count({ where: { userId }, take: max })) >= max)
    throw tooMany('personal API keys', max);
}

function tooMany(things: string, max: number): AppError {
  return new AppError('permission_denied', {
    detail: `You can have at most ${max} ${things}. Delete some first.`,
  });
}
