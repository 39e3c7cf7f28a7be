import { AppError } from '@millrace/http/errors.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import type { Caller } from '../auth/authorize.ts';

/**
 * First in a transaction that makes what ends with its maker: the caller is still a member, by a key that is still there, and stays
 * so until the transaction ends. Whoever removes the member, ends the key or claims the account meanwhile waits, and ends what was
 * made; who waited for them makes nothing. The account comes first, as in `lockKeys`, so that the two never wait for each other.
 * @throws {AppError} authentication_failed: the key is gone; permission_denied: the membership is
 */
export async function holdMaker(transaction: Prisma.TransactionClient, { userId, keyId }: Pick<Caller, 'userId' | 'keyId'>, organizationId: string): Promise<void> {
  await transaction.$queryRaw`SELECT FROM users WHERE id = ${userId} FOR KEY SHARE`;
  const keys = await transaction.$queryRaw<{ id: string }[]>`SELECT id FROM personal_api_keys WHERE id = ${keyId} FOR KEY SHARE`;
  if (keys.length === 0) throw new AppError('authentication_failed');
  const memberships = await transaction.$queryRaw<{ id: string }[]>`
    SELECT id::text FROM memberships WHERE user_id = ${userId} AND organization_id = ${organizationId}::uuid FOR KEY SHARE`;
  if (memberships.length === 0) throw new AppError('permission_denied');
}
