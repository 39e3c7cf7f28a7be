import type { CompiledQuery } from '@millrace/query-language/compile.ts';
import type { InsightResult, InsightRange, Row } from '../insights/insight-kind.ts';
import type { FiltersOverride } from '../insights/insight-variables.ts';
import type { LearnedNames } from '@millrace/query-language/schema/learned-names.ts';
import type { Statement } from '@millrace/query-language/tree/statements.ts';
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
  ): CompiledRun | Promise<CompiledRun>;
  /** True when its filters include the project's filter of test accounts. */
  wantsTestAccounts: boolean;
  /** Only of an insight. */
  insight?: PreparedInsight;
}

/** A query that is ready to be sent, of an insight with the reader of its rows. */
export interface CompiledRun extends CompiledQuery, Partial<InsightResults> {}

/** The reader of an insight's rows. */
export interface InsightResults {
  /** Results, made of the rows that ClickHouse sends. */
  shape: (rows: readonly Row[]) => InsightResult;
  /** Range of the results, and the one that they are compared with. */
  range: InsightRange;
}

/** Parts of an insight that SQL queries have not. */
export interface PreparedInsight {
  kind: string;
  /** Its results are rows of named columns. */
  hasTable: boolean;
  /** Variables of the version when it is materialized; runs may leave out those of `optional`. */
  demanded(optional: readonly string[]): DeclaredVariable[];
  /** The same insight with other dates and more filters. */
  overridden(override: FiltersOverride): PreparedEndpointQuery;
  /** Parts of a run that is compiled elsewhere: its statement, and the reader of its rows. @throws {AppError} as `compile` does */
  unprinted(
    values: Readonly<Record<string, VariableValue>>,
    context: FilterContext,
  ): { statement: () => Statement; results: InsightResults };
  /** Range of these values and of the override at this moment, for the cache key. @throws {AppError} as `compile` does */
  keyOf(values: Readonly<Record<string, VariableValue>>, context: FilterContext): unknown;
  /** Query of one row and column, microseconds since 1970 of the earliest event: `earliest` of the context; undefined when no range asks for it. */
  earliest(values: Readonly<Record<string, VariableValue>>, context: FilterContext): CompiledQuery | undefined;
}

/** A prepared query that is compiled in the caller's thread. */
export interface PreparedHere extends PreparedEndpointQuery {
  compile(...given: Parameters<PreparedEndpointQuery['compile']>): CompiledRun;
}

/** Rows that a run requests. */
export interface RowRequest {
  limit: number | undefined;
  offset: number | undefined;
  rowsMax: number;
}
