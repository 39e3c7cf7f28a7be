import type { Prisma } from '@millrace/postgres/generated/client.ts';

/** Locks a project until the transaction ends. Others that lock it wait; readers, and rows that refer to it, do not. */
export async function lockProject(transaction: Prisma.TransactionClient, projectId: number): Promise<void> {
  await transaction.$queryRaw`SELECT FROM projects WHERE id = ${projectId} FOR NO KEY UPDATE`;
}
