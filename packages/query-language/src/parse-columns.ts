import type { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expression.ts';
import type { ColumnsExpr, Expression } from './tree.ts';
import { reservedAsAlias } from './words.ts';

/** Parses what stands behind SELECT. */
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
  return token.kind === 'end' || cursor.isSign(')') || cursor.isSign(';') || (cursor.isWord('from') && !cursor.isSign('(', 1)) || cursor.isWord('union');
}

function parseColumn(cursor: Cursor): Expression {
  const expr = parseExpression(cursor);
  if (expr.node === 'Field' && expr.chain[expr.chain.length - 1] === '*') return parseExclusion(cursor, expr.chain.slice(0, -1), expr);
  const token = cursor.peek();
  const implicit = token.kind === 'name' || (token.kind === 'word' && !reservedAsAlias.has(token.text.toLowerCase()));
  if (!implicit) return expr;
  cursor.next();
  return { node: 'Alias', alias: token.text, expr, start: expr.start, end: token.end };
}

// `* EXCEPT (a, b)`, also spelt EXCLUDE; EXCEPT before a query is the set operation.
function parseExclusion(cursor: Cursor, table: string[], star: Expression): Expression {
  if (cursor.isWord('replace')) throw cursor.notSupported('* REPLACE');
  const excludes = cursor.isWord('exclude') || (cursor.isWord('except') && !startsOperand(cursor));
  if (!excludes) return star;
  cursor.next();
  const bracket = cursor.takeSign('(');
  const exclude: string[] = [];
  do {
    const token = cursor.peek();
    if (token.kind !== 'word' && token.kind !== 'name') throw cursor.unexpected('the name of a column');
    exclude.push(cursor.next().text);
  } while (bracket && cursor.takeSign(','));
  if (bracket) cursor.expectSign(')');
  return { node: 'ColumnsExpr', all_columns: true, exclude, ...(table.length > 0 ? { table } : {}), start: star.start, end: cursor.lastEnd } satisfies ColumnsExpr;
}

function startsOperand(cursor: Cursor): boolean {
  const word = (ahead: number): boolean => cursor.isWord('select', ahead) || cursor.isWord('with', ahead) || cursor.isSign('(', ahead);
  if (cursor.isWord('all', 1) || cursor.isWord('distinct', 1)) return word(2);
  return cursor.isWord('select', 1) || cursor.isWord('with', 1) || (cursor.isSign('(', 1) && word(2));
}
