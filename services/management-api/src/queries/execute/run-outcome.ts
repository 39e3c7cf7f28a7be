import { errorOfFramework } from '@millrace/http/errors/error-edge.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import { errorTable } from '@millrace/http/errors/error-table.ts';

/** A run that failed after its request passed all checks. */
export interface FailedRun {
  kind: 'failed';
  durationMs: number;
  error: string;
}

/** A run whose request was refused, with the reason; no query was executed. */
export interface RejectedRun {
  kind: 'refused';
  error: string;
  reason: string;
}

interface Circumstances {
  isGood: boolean;
  isCancelled: boolean;
  isSaved: boolean;
  durationMs: number;
}

const reasonLengthMax = 500;
/** Fields of a run that have our names. Any other field of an error has a name of the caller's. */
const fieldsOfRuns = new Set([
  'client_query_id',
  'csv',
  'debug',
  'filters_override',
  'format',
  'limit',
  'offset',
  'query',
  'refresh',
  'variables',
  'version',
]);

/**
 * The outcome of a run that threw, for the logs (contract/endpoints 7). `isGood`: its request passed all checks, so every
 * error is a failure of the run. `isCancelled`: its caller did not wait any more. `isSaved`: its query belongs to an
 * endpoint, and is not the caller's own text. Pure.
 */
export function outcomeOf(
  thrown: unknown,
  { isGood, isCancelled, isSaved, durationMs }: Circumstances,
): FailedRun | RejectedRun {
  // An error of the body reader is logged as its caller gets it: a body that is too large was refused, and nothing
  // failed.
  const error = thrown instanceof AppError || isCancelled ? thrown : (errorOfFramework(thrown) ?? thrown);
  if (!isGood && error instanceof AppError && error.status < 500)
    return { kind: 'refused', error: codeOf(error), reason: reasonOf(error, isSaved) };
  return { kind: 'failed', durationMs, error: isCancelled ? 'cancelled' : codeOf(error) };
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? (error.details.publicCode ?? error.code) : 'error';
}

/**
 * The reason for the logs, on one line. The caller's message quotes their names and values; the logs do not, because
 * other people read them.
 */
function reasonOf({ code, details: { logged, attr } }: AppError, isSaved: boolean): string {
  const field = typeof attr === 'string' && fieldsOfRuns.has(attr) ? ` (${attr})` : '';
  return ((isSaved ? logged : undefined) ?? `${errorTable[code].detail}${field}`)
    .replaceAll(/[\p{C}\u2028\u2029]/gu, ' ')
    .slice(0, reasonLengthMax);
}
