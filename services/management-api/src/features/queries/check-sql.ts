import { AppError } from '@millrace/http/errors.ts';
import { prepareQuery } from '@millrace/query-language/compile.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import { checkQuery } from '../../querying/check-query.ts';
import type { SharedVariable } from '../../querying/shared-variables.ts';

/** Something to say about a stretch of a query's text: offsets in UTF-16 units. */
interface Notice {
  message: string;
  start: number;
  end: number;
  fix?: string;
}

/** What editors and command lines show of a query that is not run (contract/clients-today B9). */
export interface Metadata {
  query: string;
  isValid: boolean;
  isValidView: boolean;
  errors: Notice[];
  warnings: Notice[];
  notices: Notice[];
  table_names: string[];
}

/** Reads a query as if it were to be saved, and tells what is wrong with it. Pure. */
export function checkSql(sql: string, variables: unknown, shared: readonly SharedVariable[]): Metadata {
  const found: Metadata = { query: sql, isValid: true, isValidView: true, errors: [], warnings: [], notices: [], table_names: [] };
  try {
    found.isValidView = prepareQuery(sql).placeholders.length === 0;
    checkQuery({ kind: 'HogQLQuery', query: sql, variables }, shared);
    return found;
  } catch (error) {
    return { ...found, isValid: false, isValidView: false, errors: [noticeOf(error, sql)] };
  }
}

function noticeOf(error: unknown, sql: string): Notice {
  const cause = error instanceof AppError ? error.cause : error;
  if (cause instanceof QueryError) {
    const { start, end } = cause.position;
    return { message: cause.message, start, end, ...(cause.suggestion !== undefined && { fix: cause.suggestion }) };
  }
  if (error instanceof AppError) return { message: error.message, start: 0, end: sql.length };
  throw error;
}
