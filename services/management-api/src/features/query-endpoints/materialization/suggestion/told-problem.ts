import type { AppError } from '@millrace/http/errors/errors.ts';
import { QueryError, type QueryErrorCode } from '@millrace/query-language/query-error.ts';

/** Errors about names and form. All others may quote a value that the query was checked with. */
const aboutText: ReadonlySet<QueryErrorCode> = new Set([
  'syntax_error',
  'query_too_large',
  'too_deep',
  'unknown_table',
  'unknown_column',
  'ambiguous_column',
  'unknown_function',
  'unknown_variable',
  'invalid_name',
  'illegal_aggregate',
]);

/**
 * The error of a suggestion, as its model is told: never with a value of a variable or constant, which stay in this system. In place of words
 * that may quote one stand their code and the part of the suggestion that they are about. Pure.
 */
export function toldProblem({ message, details: { cause } }: AppError, suggestion: string): string {
  if (!(cause instanceof QueryError) || aboutText.has(cause.code)) return message;
  const { code, position } = cause;
  if (position === undefined) return `It does not compile: ${code}.`;
  const { line, column, start, end } = position;
  return `It does not compile: ${code} at ${JSON.stringify(suggestion.slice(start, end))} (line ${line}, column ${column}).`;
}
