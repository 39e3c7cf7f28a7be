import { isDeepStrictEqual } from 'node:util';
import type { QueryColumn } from '@millrace/query-language/columns.ts';
import type { QueryWarning } from '@millrace/query-language/warnings.ts';
import type { KeptTypes } from '@millrace/query-language/schema/learned-names.ts';
import { checkEndpointQuery, prepareEndpointQuery, type CheckOptions, type PrepareOptions } from './compile-query.ts';
import type { PreparedHere } from './prepared-endpoint-query.ts';
import { withShared, type SharedVariable } from '../definition/shared-variables.ts';
import type { GivenFilters } from '../definition/filters.ts';
import { insightKinds } from '../insights/insight-kinds.ts';
import type { CheckedInsight } from '../insights/insight-kind.ts';
import { hintsInQuery } from '../definition/query-hints.ts';
import { onQuery, readDeclarations } from '../definition/variables.ts';

/** Keys of a SQL query that are stored unchanged (contract/endpoints 2.1). */
const keptKeys = new Set(['explain', 'filters', 'modifiers', 'name', 'response', 'tags', 'values', 'version']);

/** Most declarations of a query, used or not. */
const declarationsMax = 1_000;

/** Result of `checkQuery`. */
export interface QueryCheck<Query extends SavedQuery = SavedQuery> {
  query: Query;
  columns: QueryColumn[];
  /** Empty for a query with variables, whose values only a run has. */
  warnings: QueryWarning[];
  /** Names in braces, each once: `variables.plan`, `filters`. */
  placeholders: string[];
  /** Types of the properties that it reads, for a version to keep. */
  types: KeptTypes;
}

/** A definition as it is saved. */
export type SavedQuery = CheckedQuery | CheckedInsight;

/** A SQL query in its normal form: `variables` is null when it uses none. */
export interface CheckedQuery extends Record<string, unknown> {
  query: string;
  variables: Record<string, unknown> | null;
  values?: Readonly<Record<string, unknown>>;
  filters?: GivenFilters;
}

/**
 * Checks a query definition and brings it into its normal form: `kind`, `query`, `variables` and the other given keys.
 * Declarations that the SQL does not use are dropped. Variables of the project (`shared`) fill missing declarations
 * (contract/endpoints 2.2). Pure.
 * @throws {AppError} 400 on `query`, with a message for its author
 */
export function checkQuery(
  definition: Readonly<Record<string, unknown>>,
  shared: readonly SharedVariable[] = [],
  options: CheckOptions = {},
): QueryCheck<CheckedQuery> {
  const { kind, query: sql, variables: given, connectionId, ...others } = definition;
  checkCount(given);
  const variables = withShared(given, shared);
  checkKind(kind);
  if (typeof sql !== 'string' || sql.trim() === '')
    throw onQuery('query.query must be a text that holds one SELECT statement.');
  if (connectionId !== undefined && connectionId !== null)
    throw onQuery('Endpoints cannot query a direct external connection.');
  const unknown = Object.keys(others).find((key) => !keptKeys.has(key));
  if (unknown !== undefined)
    throw onQuery(
      [`query.${unknown.slice(0, 100)} is not a known field.`, hintsInQuery.get(unknown)].filter(Boolean).join(' '),
    );
  for (const key of ['values', 'filters']) {
    if (!isObjectOrNothing(others[key])) throw onQuery(`query.${key} must be an object.`);
  }
  const { used, columns, warnings, placeholders, types } = checkEndpointQuery(
    sql,
    readDeclarations(variables),
    (others['values'] ?? {}) as Record<string, unknown>,
    others['filters'] as GivenFilters,
    options,
  );
  const kept = Object.entries(others).filter(([, value]) => value !== null && value !== undefined);
  const query = { kind, query: sql, variables: usedDeclarations(variables, used), ...Object.fromEntries(kept) };
  return { query, columns, warnings, placeholders, types };
}

/** Parses a checked query for its runs. @throws {AppError} 400 query_error */
export function prepareChecked(
  { query: sql, variables, values, filters }: CheckedQuery,
  options: PrepareOptions = {},
): PreparedHere {
  return prepareEndpointQuery(sql, readDeclarations(variables), values ?? {}, filters, options);
}

/** True when two queries in their normal form are equal. Null and missing are equal, except in `values`. Pure. */
export function isSameQuery(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(withoutNulls(one, true), withoutNulls(other, true));
}

function withoutNulls(part: unknown, isWhole = false): unknown {
  if (Array.isArray(part)) return part.map((member) => withoutNulls(member));
  if (typeof part !== 'object' || part === null) return part;
  const said = Object.entries(part).filter(([, value]) => value !== null);
  return Object.fromEntries(
    said.map(([key, value]) => [key, isWhole && key === 'values' ? value : withoutNulls(value)]),
  );
}

// Each is read, 2 µs, before it is known whether the SQL uses it.
function checkCount(variables: unknown): void {
  if (typeof variables === 'object' && variables !== null && Object.keys(variables).length > declarationsMax)
    throw onQuery(`query.variables has more than ${declarationsMax.toLocaleString('en-US')} declarations.`);
}

function checkKind(kind: unknown): void {
  if (kind === 'HogQLQuery') return;
  if (kind === 'InsightVizNode' || kind === 'DataVisualizationNode' || kind === 'DataTableNode')
    throw onQuery(`query.kind is ${kind}, which shows a query: write its source as the query.`);
  throw onQuery(`query.kind must be HogQLQuery, or an insight: ${[...insightKinds.keys()].join(', ')}.`);
}

function isObjectOrNothing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));
}

function usedDeclarations(variables: unknown, used: ReadonlySet<string>): Record<string, unknown> | null {
  const kept = Object.entries((variables ?? {}) as Record<string, { code_name: string }>).filter(
    ([, { code_name: name }]) => used.has(name),
  );
  if (kept.length === 0) return null;
  return Object.fromEntries(kept.map(([id, declaration]) => [id, { variableId: id, ...declaration }]));
}
