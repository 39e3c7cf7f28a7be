import { Budget, costOf, spend, within } from './budget.ts';
import { describeColumns, type QueryColumn } from './columns.ts';
import { lowerFilters } from './filters/lower-filters.ts';
import type { QueryFilters } from './filters/query-filters.ts';
import { nearestName } from './nearest-name.ts';
import { commandResponse } from './commands/command-response.ts';
import { parseRequest, parseSelect } from './parse.ts';
import type { QueryParameters } from './parameters.ts';
import { findPlaceholders, type FoundPlaceholder } from './placeholders/placeholders.ts';
import { withoutHandledNulls } from './placeholders/unhandled-nulls.ts';
import { Printer } from './print/print.ts';
import { SpanError, withPositions, type Span } from './query-error.ts';
import { withSchema, type ProjectSchema, type ReadProperty } from './schema/project-schema.ts';
import { resolveTree } from './resolve/resolve-query.ts';
import { resolveStored } from './resolve/resolve-stored.ts';
import type { PlaceholderSource } from './resolve/names/scope.ts';
import type { ResolvedQuery } from './resolved.ts';
import { rowLimits, type RowLimits, type RowRequest } from './row-limits.ts';
import { storedRows, type StoredColumn, type StoredTable } from './stored/stored-table.ts';
import { boundWork } from './work/bound-work.ts';
import type { TenantSql } from './tenant-sql.ts';
import type { Command, Request } from './tree/commands.ts';
import type { Statement } from './tree/statements.ts';
import { plain } from './types.ts';
import { bindValue, type BoundValue, type QueryValue } from './values.ts';
import { showTimes, type TimeTypes } from './print/shown-times.ts';
import { withTimeZone } from './time-zone.ts';
import { collectingWarnings, type QueryWarning } from './warnings.ts';

/** Values of a run: `variables` for `{variables.x}`, `values` for bare `{x}`. */
export interface PlaceholderValues {
  variables?: Readonly<Record<string, QueryValue>>;
  values?: Readonly<Record<string, QueryValue>>;
  /** Zone of times without one, and of days; UTC unless given. */
  timeZone?: string;
  /** Names and types that the project has learned; without it every property is read as its text where nothing says what it is. */
  schema?: ProjectSchema | undefined;
  /** For `{filters}`; without them it is true. */
  filters?: QueryFilters | undefined;
}

/** Values that a tree which code made is printed with. */
interface StatementValues extends PlaceholderValues {
  /** Stored results that the tree names as tables. A text never can. */
  stored?: Readonly<Record<string, StoredTable>> | undefined;
}

/** A query ready to be sent as the tenant user, with `params` as the client's `query_params`. */
export interface CompiledQuery extends RowLimits {
  sql: TenantSql;
  params: QueryParameters;
  columns: QueryColumn[];
  /** Types of the times of each column that the engine sends as texts (`withTimeTypes`); undefined: it sends none so. */
  timeTypes: readonly TimeTypes[] | undefined;
  /** Properties that the query read by name, each once. */
  properties: ReadProperty[];
  /** Parts of the query that its author hardly means. */
  warnings: QueryWarning[];
  /** The SQL's own LIMIT, which ends the result whatever the pages; null without one. */
  ceiling: number | null;
}

/** A query whose result is stored in a table: its columns, in their order, are those of the table. */
export interface StoredQuery extends Pick<CompiledQuery, 'sql' | 'params' | 'properties'> {
  columns: StoredColumn[];
}

/** A parsed query. Parsing is done; names and functions are settled per run, because the types of the values decide the printing. */
export interface PreparedQuery {
  tree: Request;
  placeholders: FoundPlaceholder[];
  /** Throws `QueryError`: `query_too_large` when it costs more than the budget has left, by default that of one statement. */
  print: (values: PlaceholderValues, rows: RowRequest, budget?: Budget) => CompiledQuery;
}

/** A tree that is prepared. Code that made it may give it stored results. */
export interface PreparedStatement extends PreparedQuery {
  tree: Statement;
  print: (values: StatementValues, rows: RowRequest, budget?: Budget) => CompiledQuery;
}

/** Parses a query, SHOW, DESCRIBE or EXPLAIN once for many runs. Throws `QueryError` for what is wrong whatever the values. */
export function prepareQuery(text: string): PreparedQuery {
  const { tree, units } = parseRequest(text);
  if (isCommand(tree)) return prepareCommand(tree, text, units);
  const { print, ...prepared } = prepareStatement(tree, text, units);
  return { ...prepared, print: (values, ...rest) => print({ ...values, stored: undefined }, ...rest) };
}

function isCommand(request: Request): request is Command {
  return request.node !== 'SelectQuery' && request.node !== 'SelectSetQuery';
}

function prepareCommand(command: Command, text: string, units: number): PreparedQuery {
  const placeholders = findPlaceholders(command);
  return {
    tree: command,
    placeholders,
    print: (values, rows, budget = new Budget()) =>
      withPositions(text, () =>
        within(budget, () => {
          spend(units, command);
          return withWarnings(text, values, placeholders, () => printCommand(command, text, values, rows));
        }),
      ),
  };
}

/** Prepares a tree, also one that code made. Without the text that it was parsed of, errors have no place. `units`: the cost of that text. */
export function prepareStatement(tree: Statement, text?: string, units = 0): PreparedStatement {
  const placeholders = findPlaceholders(tree);
  return {
    tree,
    placeholders,
    print: (values, rows, budget = new Budget()) =>
      withPositions(text, () =>
        within(budget, () => {
          spend(units, tree);
          return withWarnings(text, values, placeholders, () => printQuery(tree, values, rows));
        }),
      ),
  };
}

/**
 * Compiles a tree without a placeholder left that has no value, for its result to be stored: no row limit but its own, times and other
 * values as the engine has them. A reader of the stored rows must have the same `timeZone` and the same types in `schema`.
 * Throws `QueryError`: also `not_storable`, for a column that no table can hold.
 */
export function compileStored(tree: Statement, values: PlaceholderValues, text?: string): StoredQuery {
  return withPositions(text, () =>
    within(new Budget(), () => {
      const { result, properties } = inProject(values, () => printStored(tree, values));
      return { ...result, properties };
    }),
  );
}

/** Parses and prints in one step. Throws `QueryError`. */
export function compileQuery(input: { text: string } & PlaceholderValues & RowRequest): CompiledQuery {
  return prepareQuery(input.text).print(input, input);
}

type Printed = Omit<CompiledQuery, 'warnings' | 'properties'>;

function withWarnings(
  text: string | undefined,
  values: PlaceholderValues,
  placeholders: readonly FoundPlaceholder[],
  print: () => Printed,
): CompiledQuery {
  const { result: read, warnings } = collectingWarnings(text, () => inProject(values, print));
  return { ...read.result, properties: read.properties, warnings: withoutHandledNulls(warnings, placeholders) };
}

function inProject<Result>(
  { timeZone, schema }: PlaceholderValues,
  print: () => Result,
): { result: Result; properties: ReadProperty[] } {
  return withTimeZone(timeZone ?? 'UTC', () => withSchema(schema, print));
}

// The query that a command is about is compiled as if it were to run: what is refused there is refused here.
function printCommand(command: Command, text: string, values: PlaceholderValues, rows: RowRequest): Printed {
  const response = commandResponse(command, text, (tree) => {
    const query = resolveTree(tree, placeholdersOf(values));
    new Printer(boundWork(query).guarded).query(query);
    return query;
  });
  return printQuery(parseSelect(response.text), { values: response.values }, rows);
}

function printQuery(tree: Statement, values: StatementValues, rows: RowRequest): Printed {
  const query = resolveTree(tree, placeholdersOf(values), storedRows(values.stored ?? {}));
  const limits = rowLimits(ownLimits(query), rows);
  const { guarded, blockRows } = boundWork(query);
  const printer = new Printer(guarded);
  const { sql, timeTypes } = showTimes(printer.query(limited(query, limits)), query.columns);
  return {
    sql: inBlocks(sql, blockRows),
    params: printer.parameters.values,
    columns: describeColumns(query.columns),
    timeTypes,
    ceiling: ownLimits(query).limit ?? null,
    ...limits,
  };
}

function printStored(tree: Statement, values: PlaceholderValues): Omit<StoredQuery, 'properties'> {
  const query = resolveStored(tree, placeholdersOf(values));
  const { guarded, blockRows } = boundWork(query);
  const printer = new Printer(guarded);
  return {
    sql: inBlocks(printer.query(query), blockRows),
    params: printer.parameters.values,
    columns: query.columns.map(({ name, sqlName, type }) => ({ name, column: sqlName, type })),
  };
}

function inBlocks(sql: string, rows: number | undefined): TenantSql {
  return (sql + (rows === undefined ? '' : ` SETTINGS max_block_size = ${rows}`)) as TenantSql;
}

// With ties a LIMIT is no count of rows: the pages are cut from the outside.
function ownLimits(query: ResolvedQuery): { limit: number | undefined; offset: number | undefined } {
  return query.kind === 'select' && query.withTies ? { limit: undefined, offset: undefined } : query;
}

function limited(query: ResolvedQuery, { fetchLimit: limit, fetchOffset: offset }: RowLimits): ResolvedQuery {
  if (query.kind === 'select' && query.withTies)
    return { kind: 'set', withs: [], columns: query.columns, members: [query], operators: [], limit, offset };
  return { ...query, limit, offset };
}

// A long list is read once, and stays the same list wherever it is named. Filters depend on the place: on the tables of its SELECT.
function placeholdersOf(given: PlaceholderValues): PlaceholderSource {
  const known = new Map<string, BoundValue>();
  return (chain, span, tables) => {
    if (given.filters !== undefined && chain.length === 1 && chain[0] === 'filters')
      return lowerFilters(
        given.filters,
        tables.map(({ from }) => (from.kind === 'table' ? from.table.name : undefined)),
        span,
      );
    const key = JSON.stringify(chain);
    const bound = known.get(key) ?? placeholderValue(chain, given, span);
    known.set(key, bound);
    return bound;
  };
}

function placeholderValue(chain: readonly string[], given: PlaceholderValues, span: Span): BoundValue {
  const name = chain.join('.');
  const inVariables = chain[0] === 'variables' && chain.length > 1;
  const values = (inVariables ? given.variables : given.values) ?? {};
  const key = inVariables ? chain.slice(1).join('.') : name;
  const value = Object.hasOwn(values, key) ? values[key] : undefined;
  if (value !== undefined) {
    if (Array.isArray(value)) spend(value.length * costOf.member, span);
    return bindValue(value, name, span);
  }
  // Without filters, {filters} holds for every row (contract/endpoints 10).
  if (name === 'filters') return { value: true, type: plain('boolean') };
  throw new SpanError('unknown_variable', `No value for {${name}}`, span, nearestName(key, Object.keys(values)));
}
