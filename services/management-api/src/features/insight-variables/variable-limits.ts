import { AppError } from '@millrace/http/errors/errors.ts';
import { limitedTo } from '../../database/limited-to.ts';

const variablesMax = 1_000;
/** Size of the largest body, because the check of each query reads all defaults. */
const defaultBytesMax = 1_048_576;

/**
 * Does what makes or changes a variable, within the limits of its project (`limitedTo`).
 * @throws {AppError} permission_denied: too many; invalid_input on `default_value`: too long together; and what the work throws
 */
export const withinLimits = limitedTo({
  countMax: variablesMax,
  bytesMax: defaultBytesMax,
  async sizeOf(transaction, projectId) {
    const [size] = await transaction.$queryRaw<{ count: bigint; bytes: bigint | null }[]>`
      SELECT count(*) AS count, sum(octet_length(default_value::text)) AS bytes FROM insight_variables WHERE project_id = ${projectId}`;
    return { count: Number(size?.count ?? 0), bytes: Number(size?.bytes ?? 0) };
  },
  tooMany: () =>
    new AppError('permission_denied', {
      detail: `A project can have at most ${variablesMax} variables. Delete one first.`,
    }),
  tooLong: () =>
    new AppError('invalid_input', {
      attr: 'default_value',
      detail: `The defaults of all variables of a project may have ${defaultBytesMax} bytes in total.`,
    }),
});
