import { AppError, notFound } from '@millrace/http/errors/errors.ts';
import type { PersonalApiKey, Prisma, PrismaClient } from '@millrace/postgres/generated/client.ts';
import { lockUser } from '../../accounts/lock-user.ts';
import type { Caller } from '../../auth/caller.ts';
import { withinReach, type KeyReach } from './reachable-keys.ts';

/** The caller's key that the path names. @throws {AppError} not_found: unknown, of another user, or beyond the limits of the caller's key */
export async function findKey(
  prisma: Pick<PrismaClient, 'personalApiKey' | '$queryRaw'>,
  caller: KeyReach & Pick<Caller, 'keyId'>,
  parameter: string,
): Promise<PersonalApiKey> {
  const id = parameter === '@current' ? caller.keyId : parameter;
  const found = await prisma.$queryRaw<
    unknown[]
  >`SELECT id FROM personal_api_keys WHERE id = ${id} AND ${withinReach(caller)}`;
  const key = found.length === 0 ? null : await prisma.personalApiKey.findUnique({ where: { id } });
  if (key === null) throw notFound('This key gives access to no key of yours with the id', parameter);
  return key;
}

/** A key of the caller's, and the one that the call is made with. */
export interface LockedKeys {
  key: PersonalApiKey;
  own: PersonalApiKey;
}

/**
 * The key that the path names and the one that the call is made with, as they are stored now and not as they are
 * cached: what may be handed on is decided by this. Nobody else changes them until the transaction ends.
 * @throws {AppError} not_found; authentication_failed when the own one was revoked or rolled at this moment
 */
export async function lockKeys(
  transaction: Prisma.TransactionClient,
  caller: Caller,
  parameter: string,
): Promise<LockedKeys> {
  await lockUser(transaction, caller.userId);
  const own = await transaction.personalApiKey.findFirst({
    where: { id: caller.keyId, secureValue: caller.keyHash, user: { isActive: true } },
  });
  if (own === null) throw new AppError('authentication_failed');
  const { userId, keyId } = caller;
  return {
    key: await findKey(
      transaction,
      { userId, keyId, scopedProjects: own.scopedTeams, scopedOrganizations: own.scopedOrganizations },
      parameter,
    ),
    own,
  };
}
