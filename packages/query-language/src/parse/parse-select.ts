import type { Cursor } from './cursor.ts';
import { refuseMisplaced } from './misplaced-clauses.ts';
import { parseColumns } from './parse-columns.ts';
import { grammar, parseExpression } from './parse-expression.ts';
import { parseColumnNames, parseFrom } from './parse-from.ts';
import { parseGroupBy } from './parse-group-by.ts';
import { parseLimits } from './parse-limits.ts';
import { parseInterpolate, parseOrder } from './parse-order.ts';
import { startsStatement } from './parse-parenthesis.ts';
import { parseValues, startsValues } from './parse-values.ts';
import { parseWindows } from './parse-window.ts';
import { SpanError } from '../query-error.ts';
import type { Alias, Expression } from '../tree/expressions.ts';
import type { Cte, LimitByExpr, SelectQuery, SelectSetNode, SetOperator, Statement } from '../tree/statements.ts';

/** Parses a SELECT or several joined by UNION and its like. */
export function parseStatement(cursor: Cursor): Statement {
  const first = parseMember(cursor);
  const subsequent: SelectSetNode[] = [];
  for (let operator = takeSetOperator(cursor); operator; operator = takeSetOperator(cursor)) {
    const member = parseMember(cursor);
    subsequent.push({
      node: 'SelectSetNode',
      select_query: member,
      set_operator: operator,
      start: member.start,
      end: member.end,
    });
  }
  if (subsequent.length === 0) return first;
  return {
    node: 'SelectSetQuery',
    initial_select_query: first,
    subsequent_select_queries: subsequent,
    start: first.start,
    end: cursor.lastEnd,
  };
}

function takeSetOperator(cursor: Cursor): SetOperator | undefined {
  if (cursor.takeWords('union', 'all')) return 'UNION ALL';
  if (cursor.takeWords('union')) {
    cursor.takeWords('distinct');
    return 'UNION DISTINCT';
  }
  const operator = cursor.takeWords('intersect') ? 'INTERSECT' : cursor.takeWords('except') ? 'EXCEPT' : undefined;
  if (operator === undefined) return undefined;
  return cursor.takeWords('distinct') ? `${operator} DISTINCT` : cursor.takeWords('all') ? `${operator} ALL` : operator;
}

function parseMember(cursor: Cursor): Statement {
  if (startsValues(cursor)) return closed(cursor, parseValues(cursor, grammar));
  if (!cursor.isSign('(')) return parseSelect(cursor);
  if (!startsStatement(cursor)) throw cursor.unexpected('SELECT');
  const { start } = cursor.next();
  const inner = cursor.nested(() => parseStatement(cursor));
  const { end } = cursor.expectSign(')');
  const limits = parseLimits(cursor);
  if (limits.limit_by ?? limits.limit_with_ties)
    throw cursor.notSupported(
      'LIMIT BY or WITH TIES after a query in brackets',
      { start, end: cursor.lastEnd },
      '; write SELECT * FROM (…) LIMIT …',
    );
  if (cursor.areWords('order', 'by'))
    throw cursor.notSupported('ORDER BY after a query in brackets', undefined, '; write SELECT * FROM (…) ORDER BY …');
  if ((limits.limit ?? limits.offset) && (inner.limit ?? inner.offset))
    throw cursor.notSupported(
      'A second LIMIT after a query in brackets',
      { start, end },
      '; write SELECT * FROM (…) LIMIT …',
    );
  return { ...inner, ...limits };
}

function parseSelect(cursor: Cursor): SelectQuery {
  const { start } = cursor.peek();
  const ctes = cursor.isWord('with') ? parseCtes(cursor) : undefined;
  cursor.expectWord('select');
  const query: SelectQuery = { node: 'SelectQuery', ...(ctes ? { ctes } : {}), select: [], start, end: start };
  const limit_by = cursor.takeWords('distinct') ? parseDistinctOn(cursor) : undefined;
  if (limit_by === 'none') query.distinct = true;
  query.select = parseColumns(cursor);
  if (cursor.takeWords('from')) query.select_from = parseFrom(cursor);
  parseClauses(cursor, query);
  Object.assign(query, parseLimits(cursor));
  if (limit_by && limit_by !== 'none') addDistinctOn(query, limit_by);
  return closed(cursor, query);
}

function closed(cursor: Cursor, query: SelectQuery): SelectQuery {
  refuseMisplaced(cursor);
  query.end = cursor.lastEnd;
  return query;
}

// `DISTINCT ON (a, b)` is LIMIT 1 BY a, b: the first row of each in the order of ORDER BY.
function parseDistinctOn(cursor: Cursor): LimitByExpr | 'none' {
  if (!cursor.isWord('on') || !cursor.isSign('(', 1)) return 'none';
  const { start, end } = cursor.next();
  cursor.expectSign('(');
  const exprs = parseList(cursor);
  cursor.expectSign(')');
  return { node: 'LimitByExpr', n: { node: 'Constant', value: 1, start, end }, exprs, start, end: cursor.lastEnd };
}

function addDistinctOn(query: SelectQuery, limit_by: LimitByExpr): void {
  if (query.limit_by)
    throw new SpanError(
      'syntax_error',
      'DISTINCT ON is the same as LIMIT 1 BY: write only one of them',
      query.limit_by,
    );
  query.limit_by = limit_by;
}

function parseClauses(cursor: Cursor, query: SelectQuery): void {
  parseArrayJoin(cursor, query);
  if (cursor.takeWords('prewhere')) query.prewhere = parseExpression(cursor);
  if (cursor.takeWords('where')) query.where = parseExpression(cursor);
  if (cursor.takeWords('group', 'by')) Object.assign(query, parseGroupBy(cursor));
  if (cursor.takeWords('having')) query.having = parseExpression(cursor);
  // ClickHouse has the windows first, the published parser QUALIFY.
  if (cursor.takeWords('qualify')) query.qualify = parseExpression(cursor);
  if (cursor.takeWords('window')) query.window_exprs = parseWindows(cursor, grammar);
  if (!query.qualify && cursor.takeWords('qualify')) query.qualify = parseExpression(cursor);
  if (cursor.takeWords('order', 'by')) {
    query.order_by = parseOrder(cursor, parseExpression);
    const interpolate = parseInterpolate(cursor, parseExpression);
    if (interpolate) query.interpolate = interpolate;
  }
}

const arrayJoins = ['array', 'left array', 'inner array'] as const;

function parseArrayJoin(cursor: Cursor, query: SelectQuery): void {
  const { start } = cursor.peek();
  const kind = arrayJoins.find((words) => cursor.takeWords(...words.split(' '), 'join'));
  if (!kind) return;
  if (!query.select_from)
    throw new SpanError('syntax_error', 'ARRAY JOIN needs FROM before it', { start, end: cursor.lastEnd });
  query.array_join_op = `${kind.toUpperCase() as Uppercase<typeof kind>} JOIN`;
  query.array_join_list = parseList(cursor).map(withAlias);
}

function withAlias(expr: Expression): Alias {
  if (expr.node !== 'Alias')
    throw new SpanError('syntax_error', 'An array after ARRAY JOIN needs a name: ARRAY JOIN … AS item', expr);
  return expr;
}

function parseCtes(cursor: Cursor): Cte[] {
  cursor.expectWord('with');
  const recursive = cursor.isWord('recursive') && !cursor.isWord('as', 1) && cursor.takeWords('recursive');
  const ctes: Cte[] = [];
  do ctes.push({ ...parseCte(cursor), ...(recursive ? { recursive } : {}) });
  while (cursor.takeSign(',') && !cursor.isWord('select'));
  return ctes;
}

function parseCte(cursor: Cursor): Cte {
  const token = cursor.peek();
  const named = token.kind === 'word' || token.kind === 'name';
  const hasColumns = named && namesColumns(cursor);
  if (hasColumns || (named && cursor.isWord('as', 1) && cursor.isSign('(', 2))) {
    cursor.next();
    const columns = hasColumns ? parseColumnNames(cursor) : undefined;
    cursor.expectWord('as');
    cursor.expectSign('(');
    const expr = cursor.nested(() => parseStatement(cursor));
    const { end } = cursor.expectSign(')');
    return {
      node: 'CTE',
      name: token.text,
      ...(columns ? { columns } : {}),
      cte_type: 'subquery',
      expr,
      start: token.start,
      end,
    };
  }
  const expr = parseExpression(cursor);
  if (expr.node !== 'Alias') throw cursor.unexpected('AS and a name');
  return { node: 'CTE', name: expr.alias, cte_type: 'column', expr: expr.expr, start: expr.start, end: expr.end };
}

// `x(a, b) AS (SELECT …)`: the alias of an expression, as in `f(a) AS b`, is no bracket.
function namesColumns(cursor: Cursor): boolean {
  const bracket = cursor.isSign('(', 1) ? cursor.otherBracket(cursor.place + 1) : undefined;
  if (bracket === undefined) return false;
  const ahead = bracket - cursor.place;
  return cursor.isWord('as', ahead + 1) && cursor.isSign('(', ahead + 2);
}

function parseList(cursor: Cursor): Expression[] {
  const list: Expression[] = [];
  do list.push(parseExpression(cursor));
  while (cursor.takeSign(','));
  return list;
}
