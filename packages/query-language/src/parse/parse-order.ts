import type { Cursor } from './cursor.ts';
import type { Expression, Nulls } from '../tree/expressions.ts';
import type { InterpolateExpr, OrderExpr, WithFillExpr } from '../tree/statements.ts';

/** Parses the list after ORDER BY, of a query or of a window. */
export function parseOrder(cursor: Cursor, expression: (cursor: Cursor) => Expression): OrderExpr[] {
  const list: OrderExpr[] = [];
  do list.push(parseOrderItem(cursor, expression));
  while (cursor.takeSign(','));
  return list;
}

function parseOrderItem(cursor: Cursor, expression: (cursor: Cursor) => Expression): OrderExpr {
  const expr = expression(cursor);
  const descending = cursor.takeWords('desc') || cursor.takeWords('descending');
  if (!descending && !cursor.takeWords('asc')) cursor.takeWords('ascending');
  const item: OrderExpr = {
    node: 'OrderExpr',
    expr,
    order: descending ? 'DESC' : 'ASC',
    start: expr.start,
    end: cursor.lastEnd,
  };
  if (cursor.takeWords('nulls', 'first')) item.nulls = 'FIRST';
  else if (cursor.takeWords('nulls', 'last')) item.nulls = 'LAST';
  if (cursor.isWord('collate')) throw cursor.notSupported('COLLATE');
  const with_fill = parseFill(cursor, expression);
  return with_fill ? { ...item, with_fill, end: with_fill.end } : item;
}

function parseFill(cursor: Cursor, expression: (cursor: Cursor) => Expression): WithFillExpr | undefined {
  const { start } = cursor.peek();
  if (!cursor.takeWords('with', 'fill')) return undefined;
  const fill: WithFillExpr = { node: 'WithFillExpr', start, end: start };
  if (cursor.takeWords('from')) fill.from_value = expression(cursor);
  if (cursor.takeWords('to')) fill.to_value = expression(cursor);
  if (cursor.takeWords('step')) fill.step_value = expression(cursor);
  if (cursor.isWord('staleness')) throw cursor.notSupported('STALENESS of WITH FILL');
  fill.end = cursor.lastEnd;
  return fill;
}

/** Parses IGNORE NULLS or RESPECT NULLS, if present. */
export function parseNulls(cursor: Cursor): { nulls: Nulls } | undefined {
  if (cursor.takeWords('ignore', 'nulls')) return { nulls: 'IGNORE' };
  return cursor.takeWords('respect', 'nulls') ? { nulls: 'RESPECT' } : undefined;
}

/** Parses INTERPOLATE after ORDER BY, if present. */
export function parseInterpolate(
  cursor: Cursor,
  expression: (cursor: Cursor) => Expression,
): InterpolateExpr[] | undefined {
  if (!cursor.takeWords('interpolate')) return undefined;
  const list: InterpolateExpr[] = [];
  if (!cursor.takeSign('(')) return list;
  while (!cursor.isSign(')')) {
    list.push(parseInterpolated(cursor, expression));
    if (!cursor.takeSign(',')) break;
  }
  cursor.expectSign(')');
  return list;
}

function parseInterpolated(cursor: Cursor, expression: (cursor: Cursor) => Expression): InterpolateExpr {
  const token = cursor.peek();
  if (token.kind !== 'word' && token.kind !== 'name') throw cursor.unexpected('the name of a column');
  cursor.next();
  const value = cursor.takeWords('as') ? expression(cursor) : undefined;
  return {
    node: 'InterpolateExpr',
    name: token.text,
    ...(value ? { value } : {}),
    start: token.start,
    end: cursor.lastEnd,
  };
}
