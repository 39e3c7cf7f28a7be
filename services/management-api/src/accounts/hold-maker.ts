import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import type { Caller } from '../auth/caller.ts';
import { lockUser } from './lock-user.ts';

/**
 * Before anything is made, in a transaction that makes what ends with its maker: the caller is still a member, by a key that is still
 * there and of an account that is not switched off, and stays so until the transaction ends (`lockUser`). Whoever changes that meanwhile
 * waits, and ends what was made; makers who waited for them make nothing.
 * @returns the caller's level in the organization now; what lowers it locks the organization, and so must callers who rely on it
 * @throws {AppError} authentication_failed: the key is gone, or the account is switched off; permission_denied: the membership is gone
 */
export async function holdMaker(
  transaction: Prisma.TransactionClient,
  { userId, keyId }: Pick<Caller, 'userId' | 'keyId'>,
  organizationId: string,
): Promise<number> {
  await lockUser(transaction, userId);
  const key = await transaction.personalApiKey.findFirst({
    where: { id: keyId, user: { isActive: true } },
    select: { id: true },
  });
  if (key === null) throw new AppError('authentication_failed');
  const membership = await transaction.membership.findFirst({
    where: { organizationId, userId },
    select: { level: true },
  });
  if (membership === null) throw new AppError('permission_denied');
  return membership.level;
}
