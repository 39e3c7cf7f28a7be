import type { CompiledQuery } from '@millrace/query-language/compile.ts';
import type { LearnedNames } from '@millrace/query-language/schema/learned-names.ts';
import type { FilterContext } from '../definition/filters.ts';
import type { DeclaredVariable, VariableValue } from '../definition/variables.ts';

/** A version's query, parsed once for many runs. */
export interface PreparedEndpointQuery {
  /** Variables that the SQL uses. */
  variables: readonly DeclaredVariable[];
  /** `names`: those of the project. @throws {AppError} 400 query_error: with these values the query makes no sense */
  compile(
    values: Readonly<Record<string, VariableValue>>,
    rows: RowRequest,
    filterContext: FilterContext,
    names?: LearnedNames,
  ): CompiledQuery | Promise<CompiledQuery>;
  /** True when its filters include the project's filter of test accounts. */
  wantsTestAccounts: boolean;
}

/** A prepared query that is compiled in the caller's thread. */
export interface PreparedHere extends PreparedEndpointQuery {
  compile(...given: Parameters<PreparedEndpointQuery['compile']>): CompiledQuery;
}

/** Rows that a run requests. */
export interface RowRequest {
  limit: number | undefined;
  offset: number | undefined;
  rowsMax: number;
}
