import { AppError } from '@millrace/http/errors/errors.ts';
import { Budget } from '@millrace/query-language/budget.ts';
import type { QueryColumn } from '@millrace/query-language/columns.ts';
import {
  prepareQuery,
  type CompiledQuery,
  type PlaceholderValues,
  type PreparedQuery,
} from '@millrace/query-language/compile.ts';
import type { QueryFilters } from '@millrace/query-language/filters/query-filters.ts';
import { instantOf } from '@millrace/query-language/filters/zone-time.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import {
  schemaOf,
  keptTypesOf,
  typesOf,
  type KeptTypes,
  type LearnedNames,
} from '@millrace/query-language/schema/learned-names.ts';
import { mentionedNames } from '@millrace/query-language/schema/mentioned-names.ts';
import type { QueryValue } from '@millrace/query-language/values.ts';
import type { QueryWarning } from '@millrace/query-language/warnings.ts';
import {
  areGiven,
  readFilters,
  wantsTestAccounts,
  type FilterContext,
  type GivenFilters,
} from '../definition/filters.ts';
import { isAboutGuess, tryValues, type VariableWithSpans } from '../definition/sample-values.ts';
import { onQuery, type DeclaredVariable, type VariableValue } from '../definition/variables.ts';
import { compiledWith, type CompiledWith } from './compiled-with.ts';
import { isVariable, nameOf, refuseQuoted, refuseUndefined, usedVariables } from './query-placeholders.ts';

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

type Constants = Readonly<Record<string, unknown>>;

/** Dashboards repeat the same run: the last printed SQL is cached with its values, unless both are longer than this. */
const cachedCharsMax = 16_384;

/** Options of a query's preparation. */
export interface PrepareOptions {
  /** Budget of each printing, by default that of any statement. */
  units?: number | undefined;
  /** Types of properties that the query keeps; undefined: it has those of the project's names. */
  kept?: KeptTypes | undefined;
}

/**
 * Parses a saved query for its runs.
 * @throws {AppError} 400 query_error
 */
export function prepareEndpointQuery(
  sql: string,
  declared: readonly DeclaredVariable[],
  constants: Constants,
  filters?: GivenFilters,
  { units, kept }: PrepareOptions = {},
): PreparedHere {
  const prepared = translated(() => prepareQuery(sql), runError);
  const used = usedVariables(prepared);
  const print: PreparedHere['compile'] = (values, rows, filterContext, names) =>
    translated(
      () =>
        prepared.print(
          {
            ...valuesOf(declared, values, constants, filterContext.timeZone),
            timeZone: filterContext.timeZone,
            filters: readFilters(filters, filterContext),
            schema: names && schemaOf(names, kept),
          },
          rows,
          new Budget(units),
        ),
      runError,
    );
  let last: (CompiledWith & { key: string }) | undefined;
  return {
    variables: declared.filter(({ name }) => used.has(name)),
    wantsTestAccounts: wantsTestAccounts(filters),
    compile(values, rows, filterContext, names) {
      if (areGiven(filters)) return print(values, rows, filterContext, names); // the time may be a part of them
      const key = JSON.stringify([values, rows, filterContext.timeZone]);
      if (last?.key === key && last.isOf(names)) return last.compiled;
      const compiled = print(values, rows, filterContext, names);
      last = key.length + compiled.sql.length <= cachedCharsMax ? { key, ...compiledWith(compiled, names) } : undefined;
      return compiled;
    },
  };
}

/** Options of a check. */
export interface CheckOptions {
  /** Budget of all attempts, by default that of any statement. */
  units?: number | undefined;
  /** Names and types of the project. */
  names?: LearnedNames | undefined;
}

/**
 * Checks a query that is about to be saved, with the defaults of its variables or, where there are none, with values that
 * may fit, and infers its columns (none when they depend on the values). All attempts share one budget.
 * @throws {AppError} 400 on `query`, in the compiler's words
 */
export function checkEndpointQuery(
  sql: string,
  declared: readonly DeclaredVariable[],
  constants: Constants,
  given?: GivenFilters,
  { units, names }: CheckOptions = {},
): CheckedSql {
  const prepared = translated(() => prepareQuery(sql), saveError);
  const used = usedVariables(prepared);
  refuseUndefined(prepared, used, declared, constants);
  refuseQuoted(prepared, sql, used, declared);
  const filters = checkFilters(prepared, given);
  const variables = withSpans(
    prepared,
    declared.filter(({ name }) => used.has(name)),
  );
  const schema = names && schemaOf(names);
  const budget = new Budget(units);
  const begun = budget.left;
  let firstLeft: number | undefined;
  // Another attempt needs as many units left as the first one took.
  const mayTry = (): boolean => firstLeft !== undefined && budget.left >= begun - firstLeft;
  const outcome = tryValues(variables, mayTry, (values) => {
    try {
      return {
        result: prepared.print({ ...valuesOf(variables, values, constants), filters, schema }, { rowsMax: 1 }, budget),
      };
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      if (firstLeft !== undefined && error.code === 'query_too_large') return { error };
      if (!aboutValues.has(error.code)) throw saveError(error); // wrong names and functions do not depend on the values
      return { error };
    } finally {
      firstLeft ??= budget.left;
    }
  });
  const placeholders = [...new Set(prepared.placeholders.map(({ chain }) => chain.join('.')))];
  if ('result' in outcome) {
    const { columns, warnings, properties } = outcome.result;
    return {
      used,
      placeholders,
      columns,
      warnings: variables.length === 0 ? warnings : [],
      types: keptTypesOf(properties),
    };
  }
  // A run's own values may fit where no sample did.
  const mayFit =
    outcome.error.code === 'wrong_arguments' ? isAboutGuess(outcome.error, variables) : variables.length > 0;
  if (!mayFit) throw saveError(outcome.error);
  // Properties that it reads are known with values only; those that it mentions are known now.
  const mentioned = names && mentionedNames(names, sql, [declared, constants, given]);
  return { used, placeholders, columns: [], warnings: [], types: mentioned ? typesOf(mentioned) : {} };
}

/** Facts about a query that can be saved. */
export interface CheckedSql {
  /** Names of the declared variables that it uses. */
  used: ReadonlySet<string>;
  columns: QueryColumn[];
  warnings: QueryWarning[];
  /** Names in braces, each once: `variables.plan`, `filters`. */
  placeholders: string[];
  /** Types of the properties that it reads; of those that it mentions, when no sample value fits. */
  types: KeptTypes;
}

const aboutValues: ReadonlySet<string> = new Set(['type_mismatch', 'invalid_value', 'wrong_arguments']);

const anyTime: FilterContext = { nowMs: 0, timeZone: 'UTC', testAccounts: [] };

/** Refuses filters that the query does not apply: it would show rows that its author wanted to exclude. @throws {AppError} 400 on `query` */
function checkFilters({ placeholders }: PreparedQuery, given: GivenFilters): QueryFilters | undefined {
  if (areGiven(given) && !placeholders.some(({ chain }) => chain.join('.') === 'filters'))
    throw onQuery(
      'query.filters is given, but the SQL does not say where to apply it. Write {filters} into its WHERE.',
    );
  return readFilters(given, anyTime);
}

function withSpans({ placeholders }: PreparedQuery, declared: readonly DeclaredVariable[]): VariableWithSpans[] {
  const found = Map.groupBy(placeholders, ({ chain }) => (isVariable(chain) ? nameOf(chain) : undefined));
  return declared.map((variable) => ({
    ...variable,
    spans: (found.get(variable.name) ?? []).map(({ position }) => position),
  }));
}

function valuesOf(
  declared: readonly DeclaredVariable[],
  values: Readonly<Record<string, VariableValue>>,
  constants: Constants,
  timeZone = 'UTC',
): PlaceholderValues {
  const variables = declared
    .filter(({ name }) => Object.hasOwn(values, name))
    .map(({ name, type }): [string, QueryValue] => [name, queryValue(type, values[name] ?? null, timeZone)]);
  return { variables: Object.fromEntries(variables), values: constants as Readonly<Record<string, QueryValue>> };
}

function queryValue(type: DeclaredVariable['type'], value: VariableValue, timeZone: string): QueryValue {
  if (value === null || typeof value === 'object') return value;
  if (type === 'String') return String(value);
  return type === 'Date' ? dateOf(String(value), timeZone) : value;
}

// A time without a zone is of the project's, wherever this process runs; JavaScript would take it as local.
function dateOf(text: string, timeZone: string): Date {
  const time = text.replace(' ', 'T');
  if (time.includes('T') && /(?:Z|[+-]\d{2}:?\d{2})$/.test(time)) return new Date(time);
  const wall = new Date(time.includes('T') ? `${time}Z` : time).getTime();
  return new Date(timeZone === 'UTC' ? wall : instantOf(wall, timeZone));
}

function translated<Result>(work: () => Result, toAppError: (error: QueryError) => AppError): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof QueryError) throw toAppError(error);
    throw error;
  }
}

function saveError(error: QueryError): AppError {
  return new AppError(error.code === 'query_too_large' ? 'query_too_large' : 'invalid_input', {
    attr: 'query',
    detail: error.message,
    cause: error,
  });
}

function runError(error: QueryError): AppError {
  if (error.code === 'query_too_large') return new AppError('query_too_large', { detail: error.message, cause: error });
  return new AppError('query_error', { publicCode: error.code, detail: error.message, cause: error });
}
