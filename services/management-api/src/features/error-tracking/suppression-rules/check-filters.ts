import { AppError } from '@millrace/http/errors/errors.ts';
import type { Matcher } from '@millrace/suppression/compile-filter.ts';
import { compileFilters } from '@millrace/suppression/compile-filters.ts';
import { FilterError } from '@millrace/suppression/filters.ts';
import { readFilters } from '@millrace/suppression/read-filters.ts';

/**
 * The filters as a function, as the consumer compiles them. Pure.
 * @throws {AppError} invalid_input: on `filters` when they are none, on no field when they cannot be compiled (contract/orgs-errors 3.2)
 */
export function checkFilters(filters: unknown): Matcher {
  try {
    return compileFilters(readFilters(filters));
  } catch (error) {
    if (!(error instanceof FilterError)) throw error;
    const attr = error.kind === 'invalid' ? 'filters' : null;
    throw new AppError('invalid_input', { attr, detail: error.message, cause: error });
  }
}
