import { errorOfFramework } from '@millrace/http/error-edge.ts';
import { AppError } from '@millrace/http/errors.ts';
import { errorTable } from '@millrace/http/error-table.ts';

/** A run whose request was good. */
export interface RunFailure {
  kind: 'failed';
  durationMs: number;
  error: string;
}

/** One whose request was not, for this reason; nothing was run. */
export interface RunRefusal {
  kind: 'refused';
  error: string;
  reason: string;
}

const reasonLengthMax = 500;

/**
 * What became of a run that threw, as logs tell it (contract/endpoints 7). `isGood`: its request was found good, so what followed is a
 * failure whatever was thrown; `isCancelled`: nobody waited for it any more. Pure.
 */
export function outcomeOf(thrown: unknown, { isGood, isCancelled, durationMs }: { isGood: boolean; isCancelled: boolean; durationMs: number }): RunFailure | RunRefusal {
  // What the body reader throws is told as the caller reads it: a body that is too large was refused, and nothing failed.
  const error = thrown instanceof AppError || isCancelled ? thrown : (errorOfFramework(thrown) ?? thrown);
  if (!isGood && error instanceof AppError && error.status < 500) return { kind: 'refused', error: codeOf(error), reason: reasonOf(error) };
  return { kind: 'failed', durationMs, error: isCancelled ? 'cancelled' : codeOf(error) };
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? (error.details.publicCode ?? error.code) : 'error';
}

/** What the caller was told. Only of a body that is no JSON less: there a part of it is quoted, which may be a variable's value. */
function reasonOf(error: AppError): string {
  return error.code === 'parse_error' ? errorTable.parse_error.detail : error.message.slice(0, reasonLengthMax);
}
