import type { Span } from '../query-error.ts';
import type { Expression } from './expressions.ts';
import type { SelectQuery } from './statements.ts';

/** A column and the array of its values, one for each row. */
export interface ColumnOfArray {
  name: string;
  array: Expression;
}

/** Rows that lists are laid side by side for: `SELECT a, b FROM numbers(1) ARRAY JOIN […] AS a, […] AS b`. */
export function rowsOfArrays(columns: readonly ColumnOfArray[], { start, end }: Span): SelectQuery {
  const span = { start, end };
  return {
    node: 'SelectQuery',
    select: columns.map(({ name }) => ({ node: 'Field', chain: [name], ...span })),
    select_from: {
      node: 'JoinExpr',
      table: { node: 'Field', chain: ['numbers'], ...span },
      table_args: [{ node: 'Constant', value: 1, ...span }],
      ...span,
    },
    array_join_op: 'ARRAY JOIN',
    array_join_list: columns.map(({ name, array }) => ({ node: 'Alias', alias: name, expr: array, ...span })),
    ...span,
  };
}
