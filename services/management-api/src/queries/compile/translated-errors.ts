import { AppError } from '@millrace/http/errors/errors.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';

/** Runs `work`; an error of the compiler becomes one of the API. */
export function translated<Result>(work: () => Result, toAppError: (error: QueryError) => AppError): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof QueryError) throw toAppError(error);
    throw error;
  }
}

/** The error of a query that is about to be saved. */
export function saveError(error: QueryError): AppError {
  return new AppError(error.code === 'query_too_large' ? 'query_too_large' : 'invalid_input', {
    attr: 'query',
    detail: error.message,
    cause: error,
  });
}

/** The error of a run. */
export function runError(error: QueryError): AppError {
  if (error.code === 'query_too_large') return new AppError('query_too_large', { detail: error.message, cause: error });
  return new AppError('query_error', { publicCode: error.code, detail: error.message, cause: error });
}
