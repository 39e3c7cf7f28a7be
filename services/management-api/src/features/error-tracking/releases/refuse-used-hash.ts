import { AppError } from '@millrace/http/errors/errors.ts';
import { isUniqueViolation } from '../../../database/prisma-errors.ts';

/**
 * Runs what writes the hash of a release.
 * @throws {AppError} release_hash_in_use: by this code posthog-cli knows that it should look the release up (contract/clients B 7)
 */
export async function refuseUsedHash<Result>(write: () => Promise<Result>): Promise<Result> {
  try {
    return await write();
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    throw new AppError('release_hash_in_use', { attr: 'hash_id', cause: error });
  }
}
