import { Budget, within } from './budget.ts';
import { withPositions } from './query-error.ts';
import { withSchema, type ProjectSchema } from './schema/project-schema.ts';
import { resolveTree } from './resolve/resolve-query.ts';
import type { OutputColumn } from './resolved.ts';
import type { SelectQuery, SelectSetQuery } from './tree/statements.ts';
import type { ValueType } from './types.ts';

/** A column's type in the words of the API (contract/endpoints 1). */
type ColumnType =
  'integer' | 'float' | 'decimal' | 'string' | 'datetime' | 'date' | 'boolean' | 'array' | 'json' | 'unknown';

/** A result column. */
export interface QueryColumn {
  name: string;
  type: ColumnType;
}

const words: Partial<Record<ValueType['kind'], ColumnType>> = {
  integer: 'integer',
  float: 'float',
  decimal: 'decimal',
  text: 'string',
  uuid: 'string',
  datetime: 'datetime',
  date: 'date',
  boolean: 'boolean',
  array: 'array',
  tuple: 'json',
  map: 'json',
};

/** The API's words for resolved columns. */
export function describeColumns(columns: readonly OutputColumn[]): QueryColumn[] {
  return columns.map(({ name, type }) => ({ name, type: words[type.kind] ?? 'unknown' }));
}

/**
 * Infers the result columns of a parsed query without any values: a placeholder counts as text that fits everywhere.
 * Names, functions and types are checked as in a run, by the types that `schema` has learned. Throws `QueryError`.
 */
export function inferColumns(tree: SelectQuery | SelectSetQuery, text: string, schema?: ProjectSchema): QueryColumn[] {
  return withPositions(text, () => {
    const { result } = withSchema(schema, () => within(new Budget(), () => resolveTree(tree, () => 'any')));
    return describeColumns(result.columns);
  });
}
