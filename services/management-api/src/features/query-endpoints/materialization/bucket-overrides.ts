import { AppError } from '@millrace/http/errors/errors.ts';
import { bucketFunctions } from '@millrace/query-language/materialization/keys/buckets.ts';

/**
 * Sizes of buckets by the path of a column, as `timestamp` or `properties.price` (contract/endpoints 6.4). Pure.
 * @throws {AppError} 400 on `bucket_overrides`: a size that there is not
 */
export function readBucketOverrides(given: Readonly<Record<string, unknown>> | null): Record<string, string> | null {
  if (given === null) return null;
  for (const [column, size] of Object.entries(given)) {
    if (typeof size === 'string' && Object.hasOwn(bucketFunctions, size)) continue;
    throw new AppError('invalid_input', {
      attr: 'bucket_overrides',
      detail: `The bucket of ${JSON.stringify(column.slice(0, 100))} must be one of ${Object.keys(bucketFunctions).join(', ')}.`,
    });
  }
  return given as Record<string, string>;
}
