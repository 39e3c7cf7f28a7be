import { AppError } from '@millrace/http/errors/errors.ts';
import { isUniqueViolation } from '../../../database/prisma-errors.ts';

/** Runs what writes the name of a queue. @throws {AppError} invalid_input: a live queue has this name (contract/llm-surveys 2.1) */
export async function refuseTakenName<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('invalid_input', {
      attr: 'name',
      detail: 'A queue with this name already exists.',
      cause: error,
    });
  }
}
