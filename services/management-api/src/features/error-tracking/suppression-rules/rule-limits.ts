import { AppError } from '@millrace/http/errors/errors.ts';
import { limitedTo } from '../../../database/limited-to.ts';

const rulesMax = 1_000;
/** Each exception is compared with all of them. */
const filterBytesMax = 1_048_576;

/**
 * Does what makes or changes a rule, within the limits of its project (`limitedTo`).
 * @throws {AppError} permission_denied: too many; invalid_input on `filters`: too long together; and what the work throws
 */
export const withinLimits = limitedTo({
  countMax: rulesMax,
  bytesMax: filterBytesMax,
  async sizeOf(transaction, projectId) {
    const [size] = await transaction.$queryRaw<{ count: number; bytes: number }[]>`
      SELECT count(*)::integer AS count, coalesce(sum(octet_length(filters::text)), 0)::integer AS bytes FROM suppression_rules WHERE project_id = ${projectId}`;
    return size ?? { count: 0, bytes: 0 };
  },
  tooMany: () =>
    new AppError('permission_denied', {
      detail: `A project can have at most ${rulesMax} suppression rules. Delete one first.`,
    }),
  tooLong: () =>
    new AppError('invalid_input', {
      attr: 'filters',
      detail: `The filters of all rules of a project may have ${filterBytesMax} bytes in total.`,
    }),
});
