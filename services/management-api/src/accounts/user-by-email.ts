import type { PrismaClient } from '@millrace/postgres/generated/client.ts';
import { isSameAddress } from '../mail/address.ts';

/**
 * The id of the one user with this address, in whatever case; null: there is none. The only way to a user by an address: no
 * character in it stands for others, as `_` and `%` do in a comparison by ILIKE, which is what Prisma's `mode: 'insensitive'` makes.
 */
export async function findUserIdByEmail(
  prisma: Pick<PrismaClient, '$queryRaw'>,
  email: string,
): Promise<number | null> {
  // Postgres takes no NUL in a text.
  if (email.includes('\0')) return null;
  const [found] = await prisma.$queryRaw<
    { id: number; email: string }[]
  >`SELECT id, email FROM users WHERE lower(email) = lower(${email.toWellFormed()})`;
  return found !== undefined && isSameAddress(found.email, email) ? found.id : null;
}
