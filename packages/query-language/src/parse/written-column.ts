import type { Expression, ListedColumn } from '../tree/expressions.ts';
import type { Cursor } from './cursor.ts';

/**
 * Notes which text a column without an alias is written as, unless its name follows from the node. Brackets are no part of the nodes that they hold, so those around the first and
 * the last part of an expression lie outside of it: `(a + 1) * (b + 1)`. Brackets around the whole do not count.
 * `first` is the place of the column's first token, its last one was just taken.
 */
export function writtenColumn(cursor: Cursor, first: number, expr: Expression): ListedColumn {
  if (isNamed(expr)) return expr;
  const { tokens, place } = cursor;
  const lastToken = tokens[place - 1];
  const writtenAs = (start: number, end: number): ListedColumn =>
    Object.assign<Expression, Pick<ListedColumn, 'written'>>(expr, { written: cursor.text.slice(start, end) });
  if (lastToken === undefined || (tokens[first]?.start === expr.start && lastToken.end === expr.end))
    return writtenAs(expr.start, expr.end);
  const partner = (at: number): number => tokens[cursor.otherBracket(at) ?? -1]?.start ?? -1;
  let [from, to] = [first, place - 1];
  const isOutside = (at: number): boolean => partner(at) < expr.start || partner(at) >= expr.end;
  while (from < to && (tokens[from]?.start ?? expr.start) < expr.start && isOutside(from)) from += 1;
  while (to > from && (tokens[to]?.end ?? expr.end) > expr.end && isOutside(to)) to -= 1;
  return writtenAs(tokens[from]?.start ?? expr.start, tokens[to]?.end ?? expr.end);
}

function isNamed(expr: Expression): boolean {
  return (
    expr.node === 'Alias' ||
    expr.node === 'Field' ||
    expr.node === 'ColumnsExpr' ||
    (expr.node === 'ArrayAccess' && expr.property.node === 'Constant' && typeof expr.property.value === 'string')
  );
}
