import type { Cursor } from './cursor.ts';
import type { ExpressionGrammar } from './parse-expression.ts';
import { parseNulls, parseOrder } from './parse-order.ts';
import { SpanError } from '../query-error.ts';
import type { Call, Expression, WindowExpr, WindowFrameExpr, WindowFunction } from '../tree/expressions.ts';
import { reservedAsColumn } from './words.ts';

/** Parses `OVER (…)` after a call, if present. */
export function parseOver(cursor: Cursor, call: Call, grammar: ExpressionGrammar): Expression {
  if (!cursor.isWord('over')) return call;
  const after = cursor.peek(1);
  const named = after.kind === 'name' || (after.kind === 'word' && !reservedAsColumn.has(after.text.toLowerCase()));
  if (!named && !cursor.isSign('(', 1)) return call;
  if (call.order_by || call.within_group)
    throw new SpanError('not_supported', 'A window function has its ORDER BY inside OVER (…)', call);
  cursor.next();
  const over = named
    ? { over_identifier: cursor.next().text }
    : { over_expr: cursor.nested(() => parseWindow(cursor, grammar)) };
  const nulls = call.nulls ? { nulls: call.nulls } : parseNulls(cursor);
  const parts = call.params ? { exprs: call.params, args: call.args } : { exprs: call.args, args: [] };
  return {
    node: 'WindowFunction',
    name: call.name,
    ...parts,
    ...(call.distinct ? { distinct: true as const } : {}),
    ...(call.filter_expr ? { filter_expr: call.filter_expr } : {}),
    ...nulls,
    ...over,
    start: call.start,
    end: cursor.lastEnd,
  } satisfies WindowFunction;
}

/** Parses `name AS (…), …` after WINDOW. */
export function parseWindows(cursor: Cursor, grammar: ExpressionGrammar): Record<string, WindowExpr> {
  // Names are users': this object inherits none.
  const windows = Object.create(null) as Record<string, WindowExpr>;
  do {
    const token = cursor.peek();
    if (token.kind !== 'word' && token.kind !== 'name') throw cursor.unexpected('a name after WINDOW');
    if (token.text in windows) throw new SpanError('invalid_name', `Two windows are named "${token.text}"`, token);
    cursor.next();
    cursor.expectWord('as');
    windows[token.text] = cursor.nested(() => parseWindow(cursor, grammar));
  } while (cursor.takeSign(','));
  return windows;
}

function parseWindow(cursor: Cursor, grammar: ExpressionGrammar): WindowExpr {
  const { start } = cursor.expectSign('(');
  const window: WindowExpr = { node: 'WindowExpr', start, end: start };
  if (cursor.takeWords('partition', 'by')) {
    window.partition_by = [];
    do window.partition_by.push(grammar.expression(cursor));
    while (cursor.takeSign(','));
  }
  if (cursor.takeWords('order', 'by')) window.order_by = parseOrder(cursor, grammar.expression);
  const method = cursor.takeWords('rows') ? 'ROWS' : cursor.takeWords('range') ? 'RANGE' : undefined;
  if (method) Object.assign(window, { frame_method: method }, parseFrame(cursor));
  window.end = cursor.expectSign(')').end;
  return window;
}

function parseFrame(cursor: Cursor): { frame_start: WindowFrameExpr; frame_end?: WindowFrameExpr } {
  if (!cursor.takeWords('between')) return { frame_start: parseBound(cursor) };
  const frame_start = parseBound(cursor);
  cursor.expectWord('and');
  return { frame_start, frame_end: parseBound(cursor) };
}

function parseBound(cursor: Cursor): WindowFrameExpr {
  const { start } = cursor.peek();
  if (cursor.takeWords('current', 'row'))
    return { node: 'WindowFrameExpr', frame_type: 'CURRENT ROW', start, end: cursor.lastEnd };
  const frame_value = cursor.takeWords('unbounded') ? undefined : parseRows(cursor);
  const frame_type = cursor.takeWords('preceding')
    ? 'PRECEDING'
    : cursor.takeWords('following')
      ? 'FOLLOWING'
      : undefined;
  if (!frame_type) throw cursor.unexpected('PRECEDING or FOLLOWING');
  return {
    node: 'WindowFrameExpr',
    frame_type,
    ...(frame_value === undefined ? {} : { frame_value }),
    start,
    end: cursor.lastEnd,
  };
}

function parseRows(cursor: Cursor): number {
  const token = cursor.peek();
  if (token.kind !== 'number' || !/^\d{1,9}$/.test(token.text))
    throw cursor.unexpected('UNBOUNDED, CURRENT ROW or a whole number');
  cursor.next();
  return Number(token.text);
}
