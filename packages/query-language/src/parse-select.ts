import type { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expression.ts';
import { parseFrom } from './parse-from.ts';
import { parseOrder } from './parse-order.ts';
import { startsStatement } from './parse-parenthesis.ts';
import { QueryFault } from './query-error.ts';
import type { Cte, Expression, SelectQuery, SelectSetNode, SetOperator, Statement } from './tree.ts';
import { reservedAsAlias } from './words.ts';

/** Parses a SELECT or several joined by UNION and its like. */
export function parseStatement(cursor: Cursor): Statement {
  const first = parseMember(cursor);
  const subsequent: SelectSetNode[] = [];
  for (let operator = takeSetOperator(cursor); operator; operator = takeSetOperator(cursor)) {
    const member = parseMember(cursor);
    subsequent.push({ node: 'SelectSetNode', select_query: member, set_operator: operator, start: member.start, end: member.end });
  }
  if (subsequent.length === 0) return first;
  return { node: 'SelectSetQuery', initial_select_query: first, subsequent_select_queries: subsequent, start: first.start, end: cursor.lastEnd };
}

function takeSetOperator(cursor: Cursor): SetOperator | undefined {
  if (cursor.takeWords('union', 'all')) return 'UNION ALL';
  if (cursor.takeWords('union')) {
    cursor.takeWords('distinct');
    return 'UNION DISTINCT';
  }
  if (cursor.areWords('intersect', 'all') || cursor.areWords('except', 'all') || cursor.areWords('except', 'distinct')) throw cursor.notSupported('This set operation');
  if (cursor.takeWords('intersect')) return cursor.takeWords('distinct') ? 'INTERSECT DISTINCT' : 'INTERSECT';
  return cursor.takeWords('except') ? 'EXCEPT' : undefined;
}

function parseMember(cursor: Cursor): Statement {
  if (!cursor.isSign('(')) return parseSelect(cursor);
  if (!startsStatement(cursor)) throw cursor.unexpected('SELECT');
  const { start } = cursor.next();
  const inner = cursor.nested(() => parseStatement(cursor));
  const { end } = cursor.expectSign(')');
  const limits = parseLimits(cursor);
  if (cursor.areWords('order', 'by')) throw cursor.notSupported('ORDER BY after a query in brackets; make it SELECT * FROM (…) ORDER BY …, that');
  if ((limits.limit ?? limits.offset) && (inner.limit ?? inner.offset)) throw cursor.notSupported('LIMIT after a query in brackets that has its own; make it SELECT * FROM (…) LIMIT …, that', { start, end });
  return { ...inner, ...limits };
}

function parseSelect(cursor: Cursor): SelectQuery {
  const { start } = cursor.peek();
  const ctes = cursor.isWord('with') ? parseCtes(cursor) : undefined;
  cursor.expectWord('select');
  const query: SelectQuery = { node: 'SelectQuery', ...(ctes ? { ctes } : {}), select: [], start, end: start };
  if (cursor.takeWords('distinct')) query.distinct = true;
  query.select = parseColumns(cursor);
  if (cursor.takeWords('from')) query.select_from = parseFrom(cursor);
  parseClauses(cursor, query);
  Object.assign(query, parseLimits(cursor));
  refuseClause(cursor);
  query.end = cursor.lastEnd;
  return query;
}

function parseClauses(cursor: Cursor, query: SelectQuery): void {
  if (cursor.areWords('array', 'join') || cursor.areWords('left', 'array', 'join') || cursor.areWords('inner', 'array', 'join')) throw cursor.notSupported('ARRAY JOIN');
  if (cursor.takeWords('prewhere')) query.prewhere = parseExpression(cursor);
  if (cursor.takeWords('where')) query.where = parseExpression(cursor);
  if (cursor.takeWords('group', 'by')) query.group_by = parseGroupBy(cursor);
  if (cursor.takeWords('having')) query.having = parseExpression(cursor);
  if (cursor.isWord('qualify')) throw cursor.notSupported('QUALIFY');
  if (cursor.isWord('window')) throw cursor.notSupported('WINDOW');
  if (cursor.takeWords('order', 'by')) query.order_by = parseOrder(cursor, parseExpression);
}

function parseGroupBy(cursor: Cursor): Expression[] {
  for (const word of ['rollup', 'cube'] as const) if (cursor.isWord(word) && cursor.isSign('(', 1)) throw cursor.notSupported(word.toUpperCase());
  if (cursor.areWords('grouping', 'sets')) throw cursor.notSupported('GROUPING SETS');
  if (cursor.isWord('all')) throw cursor.notSupported('GROUP BY ALL');
  const list = parseList(cursor);
  if (cursor.isWord('with')) throw cursor.notSupported('WITH ROLLUP, CUBE or TOTALS');
  return list;
}

function parseCtes(cursor: Cursor): Cte[] {
  cursor.expectWord('with');
  if (cursor.isWord('recursive') && !cursor.isWord('as', 1)) throw cursor.notSupported('WITH RECURSIVE');
  const ctes: Cte[] = [];
  do ctes.push(parseCte(cursor));
  while (cursor.takeSign(',') && !cursor.isWord('select'));
  return ctes;
}

function parseCte(cursor: Cursor): Cte {
  const token = cursor.peek();
  const named = token.kind === 'word' || token.kind === 'name';
  if (named && cursor.isWord('as', 1) && cursor.isSign('(', 2)) {
    cursor.next();
    cursor.next();
    cursor.next();
    const expr = cursor.nested(() => parseStatement(cursor));
    const { end } = cursor.expectSign(')');
    return { node: 'CTE', name: token.text, cte_type: 'subquery', expr, start: token.start, end };
  }
  const expr = parseExpression(cursor);
  if (expr.node !== 'Alias') throw cursor.unexpected('AS and a name');
  return { node: 'CTE', name: expr.alias, cte_type: 'column', expr: expr.expr, start: expr.start, end: expr.end };
}

function parseColumns(cursor: Cursor): Expression[] {
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
  if (cursor.isSign('*') && (cursor.areWords('except') || cursor.isWord('except', 1) || cursor.isWord('replace', 1) || cursor.isWord('exclude', 1))) throw cursor.notSupported('* EXCEPT or REPLACE');
  const expr = parseExpression(cursor);
  const token = cursor.peek();
  const implicit = token.kind === 'name' || (token.kind === 'word' && !reservedAsAlias.has(token.text.toLowerCase()));
  if (!implicit) return expr;
  cursor.next();
  return { node: 'Alias', alias: token.text, expr, start: expr.start, end: token.end };
}

function parseList(cursor: Cursor): Expression[] {
  const list: Expression[] = [];
  do list.push(parseExpression(cursor));
  while (cursor.takeSign(','));
  return list;
}

function parseLimits(cursor: Cursor): { limit?: Expression; offset?: Expression } {
  const limits: { limit?: Expression; offset?: Expression } = {};
  if (cursor.takeWords('limit')) {
    limits.limit = parseExpression(cursor);
    if (cursor.isSign(',')) throw cursor.notSupported('LIMIT with a comma; write LIMIT n OFFSET m, that');
    if (cursor.isSign('%')) throw cursor.notSupported('LIMIT in percent');
  }
  if (cursor.takeWords('offset')) limits.offset = parseExpression(cursor);
  if (cursor.isWord('by')) throw cursor.notSupported('LIMIT BY');
  if (cursor.areWords('with', 'ties')) throw cursor.notSupported('WITH TIES');
  if (limits.offset && cursor.isWord('limit')) throw new QueryFault('syntax_error', 'LIMIT stands before OFFSET', cursor.peek());
  return limits;
}

function refuseClause(cursor: Cursor): void {
  const clause = ['settings', 'format', 'into'].find((word) => cursor.isWord(word));
  if (clause) throw new QueryFault('not_allowed', `${clause.toUpperCase()} is not part of the query language`, cursor.peek());
}
