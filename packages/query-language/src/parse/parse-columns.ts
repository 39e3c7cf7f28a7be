import type { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expression.ts';
import type { Expression } from '../tree/expressions.ts';
import { reservedAsAlias } from './words.ts';
import { writtenColumn } from './written-column.ts';

/** Parses the list of columns after SELECT. */
export function parseColumns(cursor: Cursor): Expression[] {
  const columns: Expression[] = [];
  do {
    if (columns.length > 0 && endsColumns(cursor)) break;
    columns.push(parseColumn(cursor));
  } while (cursor.takeSign(','));
  return columns;
}

// A comma too many at the end of the list is forgiven.
function endsColumns(cursor: Cursor): boolean {
  const token = cursor.peek();
  return (
    token.kind === 'end' ||
    cursor.isSign(')') ||
    cursor.isSign(';') ||
    (cursor.isWord('from') && !cursor.isSign('(', 1)) ||
    cursor.isWord('union')
  );
}

function parseColumn(cursor: Cursor): Expression {
  const { place } = cursor;
  const expr = parseExpression(cursor);
  if (expr.node === 'Field' && expr.chain[expr.chain.length - 1] === '*') return expr;
  const token = cursor.peek();
  const implicit = token.kind === 'name' || (token.kind === 'word' && !reservedAsAlias.has(token.text.toLowerCase()));
  if (!implicit) return writtenColumn(cursor, place, expr);
  cursor.next();
  return { node: 'Alias', alias: token.text, expr, start: expr.start, end: token.end };
}
