import type { Prisma } from '@millrace/postgres/generated/client.ts';

/**
 * Until the transaction ends nobody else makes something that ends with the user (`holdMaker`, `lockKeys`), and nobody ends the user's keys,
 * membership or account. Whoever comes later waits behind whoever waits already: with a lock that makers share, new ones would pass by
 * a revocation for as long as they keep coming. Locks are taken in one order: organizations, users, keys.
 */
export async function lockUser(transaction: Prisma.TransactionClient, userId: number): Promise<void> {
  await transaction.$queryRaw`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
}
