import type { Prisma } from '@millrace/postgres/generated/client.ts';

/**
 * Locks a user until the transaction ends. Meanwhile no other transaction creates something that ends with the user (`holdMaker`,
 * `lockKeys`), or ends the user's keys, membership or account. Transactions wait in order of arrival: with a shared lock, new creators could
 * overtake a revocation without end. Locks are taken in one order: organizations, users, keys.
 */
export async function lockUser(transaction: Prisma.TransactionClient, userId: number): Promise<void> {
  await transaction.$queryRaw`SELECT FROM users WHERE id = ${userId} FOR NO KEY UPDATE`;
}
