import { AppError } from '@millrace/http/errors/errors.ts';
import { isErrorLike } from '@millrace/runtime/error-like.ts';

/** True when a write met a unique index, by Prisma or by the driver below it. */
export function isUniqueViolation(error: unknown): boolean {
  return (
    isErrorLike(error) &&
    (error.code === 'P2002' ||
      withCauses(error).some(({ code, originalCode }) => [code, originalCode].includes('23505')))
  );
}

/** Prisma's codes and kinds, and those of Postgres and of the system below it, that mean: no database just now, or (P2028) no turn for a transaction. */
const unavailable =
  /^(?:P1000|P1001|P1002|P1008|P1017|P2024|P2028|P2037|DatabaseNotReachable|ConnectionClosed|SocketTimeout|TooManyConnections|57P0[123]|08\w{3}|53300|ECONN\w+|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH)$/;
/** Codes and kinds of a statement that was ended because of others: a timeout of statements or locks, a deadlock, a conflict of transactions. */
const ended = /^(?:P2034|TransactionWriteConflict|57014|55P03|40P01|40001)$/;
/** The driver gives these no code. */
const unavailableWords =
  /connection terminated|connection ended|server closed the connection|timeout exceeded when trying to connect|query read timeout/i;

/** A database that is down, or too busy for the statement, is a 503, not an error of ours; undefined for every other error. Pure. */
export function translateDatabaseError(error: unknown): AppError | undefined {
  const isUnavailable = withCauses(error).some(
    ({ code, kind, originalCode, message }) =>
      [code, kind, originalCode].some(
        (name) => typeof name === 'string' && (unavailable.test(name) || ended.test(name)),
      ) ||
      (typeof message === 'string' && unavailableWords.test(message)),
  );
  return isUnavailable ? new AppError('unavailable', { retryAfterS: 2, cause: error }) : undefined;
}

interface Cause {
  code?: unknown;
  kind?: unknown;
  originalCode?: unknown;
  message?: unknown;
  cause?: unknown;
  /** Field in which Prisma keeps the error of the driver below it. */
  meta?: { driverAdapterError?: unknown };
}

function withCauses(error: unknown): Cause[] {
  const causes: Cause[] = [];
  for (let next = error; typeof next === 'object' && next !== null && causes.length < 6;) {
    const cause: Cause = next;
    causes.push(cause);
    next = cause.cause ?? cause.meta?.driverAdapterError;
  }
  return causes;
}
