import { PrismaPg } from '@prisma/adapter-pg';
import { PrismaClient } from './generated/client.ts';
import { createPool, type Pool, type PoolOptions } from './pool.ts';

/** Error messages without the lines of code of the call. They still hold the arguments, which `hideSecrets` removes. */
const errorFormat = 'minimal';

/** A Prisma client over a pool of its own; `$disconnect` ends the pool too. It connects with the first query. */
export function createPrisma(url: string, options: PoolOptions): PrismaClient {
  return new PrismaClient({
    adapter: new PrismaPg(createPool(url, options), { disposeExternalPool: true }),
    errorFormat,
  });
}

/** A Prisma client over a shared pool. The owner of the pool ends it, after `$disconnect`. */
export function createPrismaOver(pool: Pool): PrismaClient {
  return new PrismaClient({ adapter: new PrismaPg(pool), errorFormat });
}
