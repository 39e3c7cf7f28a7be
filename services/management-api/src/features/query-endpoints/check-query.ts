import { AppError } from '@millrace/http/errors.ts';
import { prepareEndpointQuery } from './compile-query.ts';
import type { Column } from './endpoint.ts';
import { readDeclarations } from './variables.ts';

/** Kinds of the product that this API does not run yet (contract/endpoints 2). */
const laterKinds = new Set([
  'TrendsQuery',
  'FunnelsQuery',
  'RetentionQuery',
  'PathsQuery',
  'StickinessQuery',
  'LifecycleQuery',
  'WebStatsTableQuery',
  'WebOverviewQuery',
]);

/** Keys of a SQL query that are kept as they came (contract/endpoints 2.1). */
const keptKeys = new Set(['explain', 'filters', 'modifiers', 'name', 'response', 'tags', 'values', 'version']);

/**
 * Checks a query definition and brings it into its one normal form: `kind`, `query`, `variables` and what else was given;
 * declarations that the SQL does not use are dropped (contract/endpoints 2.2). Pure.
 * @throws {AppError} 400 on `query`, in words for its author
 */
export function checkQuery(definition: Readonly<Record<string, unknown>>): { query: Record<string, unknown>; columns: Column[] } {
  const { kind, query: sql, variables, connectionId, ...others } = definition;
  checkKind(kind);
  if (typeof sql !== 'string' || sql.trim() === '') throw onQuery('query.query must be a text that holds one SELECT statement.');
  if (connectionId !== undefined && connectionId !== null) throw onQuery('Endpoints cannot query a direct external connection.');
  const unknown = Object.keys(others).find((key) => !keptKeys.has(key));
  if (unknown !== undefined) throw onQuery(`query.${unknown.slice(0, 100)} is not a known field.`);
  for (const key of ['values', 'filters']) {
    if (!isObjectOrNothing(others[key])) throw onQuery(`query.${key} must be an object.`);
  }
  const declared = readDeclarations(variables);
  const prepared = prepareEndpointQuery(sql, declared, (others['values'] ?? {}) as Record<string, unknown>);
  const kept = Object.entries(others).filter(([, value]) => value !== null && value !== undefined);
  const query = { kind, query: sql, variables: usedDeclarations(variables, prepared.usedVariables), ...Object.fromEntries(kept) };
  return { query, columns: prepared.columns };
}

function checkKind(kind: unknown): void {
  if (kind === 'HogQLQuery') return;
  if (typeof kind === 'string' && laterKinds.has(kind)) throw onQuery(`Endpoints of kind ${kind} are not available yet: use HogQLQuery.`);
  throw onQuery('query.kind must be HogQLQuery.');
}

function isObjectOrNothing(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && !Array.isArray(value));
}

function usedDeclarations(variables: unknown, used: ReadonlySet<string>): Record<string, unknown> | null {
  const kept = Object.entries((variables ?? {}) as Record<string, { code_name: string }>).filter(([, { code_name: name }]) => used.has(name));
  if (kept.length === 0) return null;
  return Object.fromEntries(kept.map(([id, declaration]) => [id, { variableId: id, ...declaration }]));
}

function onQuery(detail: string): AppError {
  return new AppError('invalid_input', { attr: 'query', detail });
}
