import { AppError } from '@millrace/http/errors.ts';
import { errorTable } from '@millrace/http/error-table.ts';

const reasonLengthMax = 500;

/** An error as logs of runs name it. Pure. */
export function codeOf(error: unknown): string {
  return error instanceof AppError ? (error.details.publicCode ?? error.code) : 'error';
}

/** Was the request itself no good, so that nothing was run? Pure. */
export function isRefusal(error: unknown): error is AppError {
  return error instanceof AppError && error.status < 500;
}

/** What the caller was told. Only of a body that is no JSON less: there a part of it is quoted, which may be a variable's value. Pure. */
export function reasonOf(error: AppError): string {
  return error.code === 'parse_error' ? errorTable.parse_error.detail : error.message.slice(0, reasonLengthMax);
}
