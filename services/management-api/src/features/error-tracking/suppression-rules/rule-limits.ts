import { AppError } from '@millrace/http/errors/errors.ts';
import type { Prisma } from '@millrace/postgres/generated/client.ts';
import { lockProject } from '../../../database/lock-project.ts';

const rulesMax = 1_000;
/** Each exception is compared with all of them. */
const filterBytesMax = 1_048_576;

/**
 * Does what makes or changes a rule, and takes it back when the project has more of them afterwards, or longer filters, than it may have. Of
 * two callers one waits.
 * @throws {AppError} permission_denied: too many; invalid_input on `filters`: too long together; and what the work throws
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
  if (after.count > before.count && after.count > rulesMax)
    throw new AppError('permission_denied', {
      detail: `A project can have at most ${rulesMax} suppression rules. Delete one first.`,
    });
  if (after.bytes > before.bytes && after.bytes > filterBytesMax)
    throw new AppError('invalid_input', {
      attr: 'filters',
      detail: `The filters of all rules of a project may have ${filterBytesMax} bytes in total.`,
    });
  return result;
}

async function sizeOf(
  transaction: Prisma.TransactionClient,
  projectId: number,
): Promise<{ count: number; bytes: number }> {
  const [size] = await transaction.$queryRaw<{ count: number; bytes: number }[]>`
    SELECT count(*)::integer AS count, coalesce(sum(octet_length(filters::text)), 0)::integer AS bytes FROM suppression_rules WHERE project_id = ${projectId}`;
  return size ?? { count: 0, bytes: 0 };
}
