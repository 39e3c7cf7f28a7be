import type { StoredRows } from '../resolved.ts';
import type { ValueType } from '../types.ts';
import { quoteName } from '../quote.ts';

/** A column of a stored result: its name in the statement whose result it is, its name in the table, and its type as the statement had it. */
export interface StoredColumn {
  name: string;
  /** `c0`, `c1`, … */
  column: string;
  type: ValueType;
}

/** A stored result: the view in database `materialized` that shows it, and its columns. */
export interface StoredTable {
  view: string;
  columns: readonly StoredColumn[];
}

/**
 * Settings of the engine for the statement that stores a result. It stores only when told to: NULL in place of a tuple, which
 * `simpleLinearRegression` of no rows is, and numbers that it computes once for each of few different texts, as in `length(severity)`.
 */
export const storingSettings = { enable_nullable_tuple_type: 1, allow_suspicious_low_cardinality_types: 1 } as const;

const viewPattern = /^[A-Za-z_]\w{0,199}$/;
const columnPattern = /^c\d{1,4}$/;

/** The name of the column at this place, from 0, of every stored result. */
export function storedColumnName(at: number): string {
  return `c${at}`;
}

/**
 * The rows of stored results, by the names that a tree has for them.
 * @throws {Error} for the name of a view or of a column that is not plain: users choose neither
 */
export function storedRows(tables: Readonly<Record<string, StoredTable>>): ReadonlyMap<string, StoredRows> {
  return new Map(Object.entries(tables).map(([name, table]) => [name, rowsOf(table)]));
}

function rowsOf({ view, columns }: StoredTable): StoredRows {
  if (!viewPattern.test(view)) throw new Error('The name of a view has letters, digits and _ only');
  if (columns.some(({ column }) => !columnPattern.test(column))) throw new Error('A stored column is named c0, c1, …');
  return {
    physical: `materialized.${quoteName(view)}`,
    columns: columns.map(({ name, column, type }) => ({ name, sqlName: column, type })),
  };
}
