import type { Cursor } from './cursor.ts';
import type { Expression, OrderExpr } from './tree.ts';

/** Parses what stands behind ORDER BY, of a query or of a window. */
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
  const item: OrderExpr = { node: 'OrderExpr', expr, order: descending ? 'DESC' : 'ASC', start: expr.start, end: cursor.lastEnd };
  if (cursor.takeWords('nulls', 'first')) item.nulls = 'FIRST';
  else if (cursor.takeWords('nulls', 'last')) item.nulls = 'LAST';
  if (cursor.isWord('collate')) throw cursor.notSupported('COLLATE');
  if (cursor.areWords('with', 'fill')) throw cursor.notSupported('WITH FILL');
  return item;
}
