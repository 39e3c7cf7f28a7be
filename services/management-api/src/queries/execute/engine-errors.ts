import { tenantTokenError } from '@millrace/clickhouse/users/tenant-token.ts';
import { AppError } from '@millrace/http/errors/errors.ts';
import type { ErrorCode } from '@millrace/http/errors/error-table.ts';

/** An error of ClickHouse as it comes over HTTP. */
export interface EngineError {
  /** ClickHouse's number. */
  code: number;
  /** ClickHouse's name, such as `TYPE_MISMATCH`. */
  name: string;
  message: string;
}

/** Errors of a user's query, for a route's declaration. */
export const queryErrors = [
  'query_error',
  'query_timeout',
  'query_memory_limit',
  'query_reads_too_much',
  'query_result_too_large',
  'query_too_large',
  'query_capacity',
  'query_cancelled',
] as const;

const memoryLimitExceeded = 241;

const guardrails: Record<number, ErrorCode> = {
  159: 'query_timeout', // TIMEOUT_EXCEEDED
  160: 'query_timeout', // TOO_SLOW
  209: 'query_timeout', // SOCKET_TIMEOUT
  [memoryLimitExceeded]: 'query_memory_limit', // MEMORY_LIMIT_EXCEEDED
  158: 'query_reads_too_much', // TOO_MANY_ROWS
  307: 'query_reads_too_much', // TOO_MANY_BYTES
  396: 'query_result_too_large', // TOO_MANY_ROWS_OR_BYTES
  168: 'query_too_large', // TOO_BIG_AST
  167: 'query_too_large', // TOO_DEEP_AST
  306: 'query_too_large', // TOO_DEEP_RECURSION
  202: 'query_capacity', // TOO_MANY_SIMULTANEOUS_QUERIES
  201: 'query_capacity', // QUOTA_EXCEEDED
};

/** Errors of the set-up, never of a query: the author cannot repair them. */
const ownErrors = new Set([
  60, // UNKNOWN_TABLE
  81, // UNKNOWN_DATABASE
  115, // UNKNOWN_SETTING
  164, // READONLY
  192, // UNKNOWN_USER
  193, // WRONG_PASSWORD
  194, // REQUIRED_PASSWORD
  216, // QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING
  452, // SETTING_CONSTRAINT_VIOLATION
  497, // ACCESS_DENIED
  516, // AUTHENTICATION_FAILED
  999, // KEEPER_EXCEPTION
  1000, // POCO_EXCEPTION
  49, // LOGICAL_ERROR
]);

/**
 * The engine's error as the API reports it (contract/endpoints 4.6): guard rails are 400 with a code of their own,
 * other errors of the query 400 with the engine's name as code, a full engine 503, errors of the set-up 500. Pure.
 */
export function engineFailure(error: EngineError, cause: unknown): AppError {
  if (ownErrors.has(error.code) || error.message.includes(tenantTokenError)) return new AppError('error', { cause });
  const code = isOfNeighbours(error) ? 'query_capacity' : (guardrails[error.code] ?? 'query_error');
  if (code === 'query_capacity') return new AppError(code, { retryAfterS: 5, cause });
  if (code !== 'query_error') return new AppError(code, { cause });
  return new AppError('query_error', {
    publicCode: error.name.toLowerCase() || 'query_error',
    detail: publicMessage(error),
    cause,
  });
}

/**
 * True when the memory shared by all queries ran out, and not the memory of this query. ClickHouse then ends the largest of the queries,
 * with this error.
 */
function isOfNeighbours({ code, message }: EngineError): boolean {
  return (
    code === memoryLimitExceeded &&
    /^(?:Code: 241\. DB::Exception: )?(?:User memory limit|\(total\) memory limit)/.test(message) &&
    !message.includes('selected to stop')
  );
}

const cannotCompileRegexp = 427;

/** The first sentence of the engine's message, without our database, parameters and version in it. */
function publicMessage({ code, message }: EngineError): string {
  // Parts of the row policy must never be shown.
  if (/SHA256|getClientHTTPHeader|splitByChar\('\.'/.test(message)) return 'The query could not be run.';
  if (code === cannotCompileRegexp) return `A regular expression is not valid: ${regexpFault(message)}`;
  const sentence =
    message
      .replace(/^Code: \d+\.\s*/, '')
      .replace(/^DB::Exception:\s*/, '')
      .split(
        /: (?:While|while) (?:processing|executing|converting)|\. Stack trace|: In scope | \(version |\. In query |\(in query: /,
        1,
      )[0] ?? '';
  const cleaned = sentence
    .replaceAll(/`?__t\d+`?\./g, '')
    .replaceAll('analytics.', '')
    .replaceAll(/\b(?:internal|materialized)\.m_\w+/g, 'the table')
    .replaceAll(/_CAST\(/g, 'CAST(')
    .trim()
    .slice(0, 500);
  const hint = code === 215 ? '; add it to GROUP BY, or put it into an aggregate such as any(…)' : '';
  return `The query could not be run: ${cleaned}${hint}`;
}

// Before it stands the pattern, after it advice about literals of ClickHouse.
function regexpFault(message: string): string {
  const [before = ''] = message.split('. Look at https://', 1);
  const at = before.lastIndexOf(', error: ');
  return (at === -1 ? before : before.slice(at + ', error: '.length)).slice(0, 300);
}
