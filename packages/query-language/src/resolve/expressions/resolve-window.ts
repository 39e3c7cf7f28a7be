import { aggregateCall } from '../../functions/aggregate-calls.ts';
import { spelledAggregate } from '../../functions/aggregate-spellings.ts';
import { align } from '../../operators/conversions.ts';
import { windowFunctions } from '../../functions/function-table.ts';
import { nearestName } from '../../nearest-name.ts';
import { readByType } from '../../operators/learned-types.ts';
import { sortingKeys } from '../../operators/property-order.ts';
import { SpanError } from '../../query-error.ts';
import {
  call,
  constant,
  type Resolved,
  type ResolvedOrder,
  type ResolvedWindow,
  type WindowFrame,
} from '../../resolved.ts';
import { findFunction } from '../../functions/find-function.ts';
import type { Scope } from '../names/scope.ts';
import type { Call, Expression, WindowExpr, WindowFrameExpr, WindowFunction } from '../../tree/expressions.ts';
import { plain } from '../../types.ts';
import { respecting, skippingCall, skippingOf } from '../../functions/window-nulls.ts';
import { scalarCall } from '../../functions/scalar-calls.ts';

/** Resolves `f(…) OVER (…)`: a function of windows, or an aggregate over the rows of one. */
export function resolveWindow(expr: WindowFunction, scope: Scope, value: (part: Expression) => Resolved): Resolved {
  if (!scope.aggregatesAllowed || scope.lambdas.length > 0)
    throw new SpanError(
      'illegal_aggregate',
      `${expr.name}() OVER is not allowed here; compute it in a sub-query and filter that`,
      expr,
    );
  if (scope.insideWindow)
    throw new SpanError(
      'illegal_aggregate',
      'A window function cannot be nested in another; compute the inner one in a sub-query',
      expr,
    );
  scope.insideWindow = true;
  const over = expr.over_expr ? windowOf(expr.over_expr, value) : namedWindow(expr, scope, value);
  const resolved = skippingOf(expr)
    ? skippingNulls(expr, over, value)
    : windowCall(resolveFunction(expr, value), over, expr);
  scope.insideWindow = false;
  return resolved;
}

function windowCall(applied: Resolved, over: ResolvedWindow, { start, end }: WindowFunction): Resolved {
  const parts = [applied, ...over.partitionBy, ...over.orderBy.map((item) => item.expr)];
  return {
    kind: 'window',
    call: applied,
    over,
    type: applied.type,
    aggregate: parts.some((part) => part.aggregate),
    local: true,
    start,
    end,
  };
}

// `lag(x, 1, 'none') IGNORE NULLS`.
function skippingNulls(
  expr: WindowFunction,
  { partitionBy, orderBy }: ResolvedWindow,
  value: (part: Expression) => Resolved,
): Resolved {
  const skipping = skippingOf(expr) as NonNullable<ReturnType<typeof skippingOf>>;
  const [first, steps, fallback, ...more] = expr.exprs.map((part) => value(part));
  if (!first || more.length > 0 || expr.args.length > 0 || expr.distinct || expr.filter_expr)
    throw new SpanError(
      'wrong_arguments',
      `${expr.name}() takes 1 to 3 arguments, and neither DISTINCT nor FILTER`,
      expr,
    );
  const [aligned = first, last] = fallback ? align([first, fallback]) : [readByType(first)];
  const sorted = skipping.backwards ? orderBy.map(reversed) : orderBy;
  const found = windowCall(
    skippingCall(missingAsNull(aligned), steps, expr),
    { partitionBy, orderBy: sorted, frame: skipping.frame },
    expr,
  );
  return last ? call('ifNull', [found, last], { ...aligned.type, nullable: last.type.nullable }, expr) : found;
}

// The engine sorts NULL to the end either way.
function reversed({ expr, order, nulls }: ResolvedOrder): ResolvedOrder {
  return { expr, order: order === 'ASC' ? 'DESC' : 'ASC', nulls: nulls === 'FIRST' ? 'LAST' : 'FIRST' };
}

function windowOf(over: WindowExpr, value: (part: Expression) => Resolved): ResolvedWindow {
  const partitionBy = (over.partition_by ?? []).map((part) => readByType(asKey(value(part))));
  const filled = over.order_by?.find((item) => item.with_fill);
  if (filled) throw new SpanError('syntax_error', 'WITH FILL is only allowed in the ORDER BY of a query', filled);
  const orderBy = (over.order_by ?? []).flatMap((item) =>
    sortingKeys(asKey(value(item.expr))).map((expr) => ({ expr, order: item.order, nulls: item.nulls })),
  );
  return { partitionBy, orderBy, frame: frameOf(over) };
}

// Resolved once and printed once, however often it is used: else a long window in many places would grow without bound.
function namedWindow(
  { over_identifier: name = '', start, end }: WindowFunction,
  scope: Scope,
  value: (part: Expression) => Resolved,
): ResolvedWindow {
  const entry = scope.windows.get(name);
  if (!entry)
    throw new SpanError(
      'unknown_column',
      `Unknown window "${name}"`,
      { start, end },
      nearestName(name, scope.windows.keys()),
    );
  entry.resolved ??= { name: scope.resolution.freshName('n'), ...windowOf(entry.node, value) };
  return entry.resolved;
}

/** The windows of the WINDOW clause that are used. Errors in unused windows are thrown all the same. */
export function usedWindows(scope: Scope, value: (part: Expression) => Resolved): ResolvedWindow[] {
  return [...scope.windows.values()].flatMap((entry) => {
    if (entry.resolved) return [entry.resolved];
    scope.insideWindow = true;
    windowOf(entry.node, value);
    scope.insideWindow = false;
    return [];
  });
}

function resolveFunction(expr: WindowFunction, value: (part: Expression) => Resolved): Resolved {
  const { name, exprs, args, start, end } = expr;
  const written: Call = {
    node: 'Call',
    name,
    args: args.length > 0 ? args : exprs,
    ...(args.length > 0 ? { params: exprs } : {}),
    ...(expr.distinct ? { distinct: true } : {}),
    ...(expr.nulls ? { nulls: expr.nulls } : {}),
    start,
    end,
  };
  const spelled = spelledAggregate(written);
  const node = spelled.node === 'Call' ? spelled : written;
  const own = windowFunctions.get(name.toLowerCase());
  const [first] = node.args;
  const all = node.args.length === 1 && first?.node === 'Field' && first.chain[first.chain.length - 1] === '*';
  const values = all && name.toLowerCase() === 'count' ? [] : node.args.map((arg) => value(arg));
  if (own && (expr.distinct || expr.filter_expr))
    throw new SpanError(
      'wrong_arguments',
      `${name}() takes neither DISTINCT nor FILTER; aggregates with a window do`,
      expr,
    );
  if (own) return scalarCall(respecting(own, expr), own.nullable === 'always' ? withDefault(values) : values, node);
  const found = findFunction(node);
  if (found.kind !== 'aggregate')
    throw new SpanError(
      'wrong_arguments',
      `${name}() is not a window function; aggregates and ${[...windowFunctions.keys()].join(', ')} are`,
      expr,
    );
  // Windows are computed after the groups: sum(count()) OVER () adds up the groups.
  const filter = expr.filter_expr && value(expr.filter_expr);
  if (filter && found.combinators.includes('If'))
    throw new SpanError(
      'wrong_arguments',
      `${name}() already has a condition; remove FILTER or that condition`,
      filter,
    );
  const filtered = filter ? { ...found, combinators: [...found.combinators, 'If' as const] } : found;
  if (filter) values.push(filter);
  const result = aggregateCall(
    filtered,
    values.map((arg) => ({ ...arg, aggregate: false })),
    (node.params ?? []).map((param) => value(param)),
    node,
  );
  return { ...result, aggregate: values.some((arg) => arg.aggregate) };
}

// `lag(x, 1, 'none')`: the value for a missing row has the type of the others.
function withDefault([first, offset, fallback, ...more]: readonly Resolved[]): Resolved[] {
  if (!first) return [];
  const [value = first, ...rest] = fallback ? align([first, fallback]) : [readByType(first)];
  return [missingAsNull(value), ...(offset ? [offset] : []), ...rest, ...more];
}

// Without such a row the engine gives the type's own zero; SQL says NULL.
function missingAsNull(arg: Resolved): Resolved {
  return arg.type.nullable ? arg : call('toNullable', [arg], { ...arg.type, nullable: true }, arg);
}

// A constant sorts and parts nothing, and must not print as a position.
function asKey(expr: Resolved): Resolved {
  return expr.kind === 'constant'
    ? call('identity', [constant(0, plain('integer'), expr)], plain('integer'), expr)
    : expr;
}

function frameOf({ frame_method: method, frame_start: from, frame_end: to }: WindowExpr): WindowFrame | undefined {
  if (!method || !from) return undefined;
  return { method, from: boundOf(from), to: to ? boundOf(to) : undefined };
}

function boundOf({ frame_type: type, frame_value: rows }: WindowFrameExpr): WindowFrame['from'] {
  return type === 'CURRENT ROW' ? { type } : { type, rows };
}
