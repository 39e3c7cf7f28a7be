import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { lockProject } from '../../database/lock-project.ts';

const variablesMax = 1_000;
/** Size of the largest body, because the check of each query reads all defaults. */
const defaultBytesMax = 1_048_576;

/**
 * Does what makes or changes a variable, and takes it back when the project has more of them afterwards, or longer defaults, than it may
 * have. Of two callers one waits.
 * @throws {AppError} permission_denied: too many; invalid_input on `default_value`: too long together; and what the work throws
 */
export async function withinLimits<Result>(
  transaction: Prisma.TransactionClient,
  projectId: number,
  work: () => Promise<Result>,
): Promise<Result> {
  await lockProject(transaction, projectId);
  const before = await sizeOf(transaction, projectId);
  const result = await work();
  const after = await sizeOf(transaction, projectId);
  if (after.count > before.count && after.count > variablesMax)
    throw new AppError('permission_denied', {
      detail: `A project can have at most ${variablesMax} variables. Delete one first.`,
    });
  if (after.bytes > before.bytes && after.bytes > defaultBytesMax) {
    throw new AppError('invalid_input', {
      attr: 'default_value',
      detail: `The defaults of all variables of a project may have ${defaultBytesMax} bytes in total.`,
    });
  }
  return result;
}

async function sizeOf(
  transaction: Prisma.TransactionClient,
  projectId: number,
): Promise<{ count: number; bytes: number }> {
  const [size] = await transaction.$queryRaw<{ count: bigint; bytes: bigint | null }[]>`
    SELECT count(*) AS count, sum(octet_length(default_value::text)) AS bytes FROM insight_variables WHERE project_id = ${projectId}`;
  return { count: Number(size?.count ?? 0), bytes: Number(size?.bytes ?? 0) };
}
