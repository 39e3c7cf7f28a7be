import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { lockProject } from './lock-project.ts';

interface Limits {
  /** Most rows of a project. */
  countMax: number;
  /** Most bytes of what is long in them, all together. */
  bytesMax: number;
  /** Both, as the project has them now. */
  sizeOf: (transaction: Prisma.TransactionClient, projectId: number) => Promise<{ count: number; bytes: number }>;
  /** Errors of work that leads beyond a limit. */
  tooMany: () => Error;
  tooLong: () => Error;
}

/**
 * A function that does what makes or changes a row, and takes it back when the project has more rows afterwards, or longer ones, than it may
 * have. Of two callers one waits. It throws `tooMany`, `tooLong`, and what the work throws.
 */
export function limitedTo({ countMax, bytesMax, sizeOf, tooMany, tooLong }: Limits) {
  return async <Result>(
    transaction: Prisma.TransactionClient,
    projectId: number,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    await lockProject(transaction, projectId);
    const before = await sizeOf(transaction, projectId);
    const result = await work();
    const after = await sizeOf(transaction, projectId);
    if (after.count > before.count && after.count > countMax) throw tooMany();
    if (after.bytes > before.bytes && after.bytes > bytesMax) throw tooLong();
    return result;
  };
}
