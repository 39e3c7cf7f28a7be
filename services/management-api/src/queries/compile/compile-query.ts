import { Budget } from '@millrace/query-language/budget.ts';
import type { QueryColumn } from '@millrace/query-language/columns.ts';
import { prepareQuery, type PreparedQuery } from '@millrace/query-language/compile.ts';
import type { QueryFilters } from '@millrace/query-language/filters/query-filters.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import {
  schemaOf,
  keptTypesOf,
  typesOf,
  type KeptTypes,
  type LearnedNames,
} from '@millrace/query-language/schema/learned-names.ts';
import { mentionedNames } from '@millrace/query-language/schema/mentioned-names.ts';
import type { QueryWarning } from '@millrace/query-language/warnings.ts';
import {
  areGiven,
  readFilters,
  wantsTestAccounts,
  type FilterContext,
  type GivenFilters,
} from '../definition/filters.ts';
import { isAboutGuess, tryValues, type VariableWithSpans } from '../definition/sample-values.ts';
import { onQuery, type DeclaredVariable } from '../definition/variables.ts';
import { valuesOf, type Constants } from './bound-values.ts';
import { keepingLast } from './keeping-last.ts';
import type { PreparedHere } from './prepared-endpoint-query.ts';
import { isVariable, nameOf, refuseQuoted, refuseUndefined, usedVariables } from './query-placeholders.ts';
import { runError, saveError, translated } from './translated-errors.ts';

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
  return {
    variables: declared.filter(({ name }) => used.has(name)),
    wantsTestAccounts: wantsTestAccounts(filters),
    // With filters the time may be a part of the SQL.
    compile: areGiven(filters) ? print : keepingLast(print),
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
