import type { Cursor } from './cursor.ts';
import type { ExpressionGrammar } from './parse-expression.ts';
import { parseLimits } from './parse-limits.ts';
import { SpanError } from '../query-error.ts';
import type { Expression } from '../tree/expressions.ts';
import { rowsOfArrays } from '../tree/rows-of-arrays.ts';
import type { SelectQuery } from '../tree/statements.ts';

/** True when `VALUES (…)` begins this many tokens from here. */
export function startsValues(cursor: Cursor, ahead = 0): boolean {
  return cursor.isWord('values', ahead) && cursor.isSign('(', ahead + 1);
}

/** Parses `VALUES (1, 'a'), (2, 'b')` into the query that gives these rows, with columns `column1`, `column2`, … */
export function parseValues(cursor: Cursor, grammar: ExpressionGrammar): SelectQuery {
  const { start } = cursor.next();
  const rows: Expression[][] = [];
  do rows.push(parseRow(cursor, grammar, rows[0]?.length));
  while (cursor.takeSign(','));
  const span = { start, end: cursor.lastEnd };
  const columns = (rows[0] ?? []).map((_, at) => ({
    name: `column${at + 1}`,
    array: { node: 'Array' as const, exprs: rows.map((row) => row[at] as Expression), ...span },
  }));
  const query = rowsOfArrays(columns, span);
  return { ...query, ...parseLimits(cursor), end: cursor.lastEnd };
}

function parseRow(cursor: Cursor, grammar: ExpressionGrammar, width: number | undefined): Expression[] {
  const { start } = cursor.expectSign('(');
  const row: Expression[] = [];
  do row.push(grammar.expression(cursor));
  while (cursor.takeSign(',') && !cursor.isSign(')'));
  const { end } = cursor.expectSign(')');
  if (width !== undefined && row.length !== width)
    throw new SpanError(
      'syntax_error',
      `All rows of VALUES need the same number of values: the first has ${width}, this one has ${row.length}`,
      { start, end },
    );
  return row;
}
