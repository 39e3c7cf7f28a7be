import { aggregateCall } from './aggregate-calls.ts';
import { windowFunctions } from './function-table.ts';
import { QueryFault } from './query-error.ts';
import { call, constant, type Resolved, type WindowFrame } from './resolved.ts';
import { findFunction, scalarCall } from './resolve-call.ts';
import type { Scope } from './scope.ts';
import type { Call, Expression, WindowFrameExpr, WindowFunction } from './tree.ts';
import { plain } from './types.ts';

/** Resolves `f(…) OVER (…)`: a function of windows, or an aggregate over the rows of one. */
export function resolveWindow(expr: WindowFunction, scope: Scope, value: (part: Expression) => Resolved): Resolved {
  if (!scope.aggregatesAllowed || scope.lambdas.length > 0) throw new QueryFault('illegal_aggregate', `${expr.name}() OVER is not allowed here; compute it in a sub-query and filter that`, expr);
  const { over_expr: over } = expr;
  const partitionBy = (over.partition_by ?? []).map((part) => asKey(value(part)));
  const orderBy = (over.order_by ?? []).map((item) => ({ expr: asKey(value(item.expr)), order: item.order, nulls: item.nulls }));
  const applied = resolveFunction(expr, value);
  const parts = [applied, ...partitionBy, ...orderBy.map((item) => item.expr)];
  return {
    kind: 'window', call: applied, partitionBy, orderBy, frame: frameOf(expr), type: applied.type, aggregate: parts.some((part) => part.aggregate), local: true, start: expr.start, end: expr.end,
  };
}

function resolveFunction(expr: WindowFunction, value: (part: Expression) => Resolved): Resolved {
  const { name, exprs, args, start, end } = expr;
  const node: Call = { node: 'Call', name, args: args.length > 0 ? args : exprs, ...(args.length > 0 ? { params: exprs } : {}), start, end };
  const own = windowFunctions.get(name.toLowerCase());
  const [first] = node.args;
  const all = node.args.length === 1 && first?.node === 'Field' && first.chain[first.chain.length - 1] === '*';
  const values = all && name.toLowerCase() === 'count' ? [] : node.args.map((arg) => value(arg));
  if (own) return scalarCall(own, values.map((arg, index) => (index === 0 && own.nullable === 'always' ? missingAsNull(arg) : arg)), node);
  const found = findFunction(node);
  if (found.kind !== 'aggregate') throw new QueryFault('wrong_arguments', `${name}() is no function of windows; aggregates and ${[...windowFunctions.keys()].join(', ')} are`, expr);
  // Windows are computed after the groups: sum(count()) OVER () adds up the groups.
  const result = aggregateCall(found, values.map((arg) => ({ ...arg, aggregate: false })), (node.params ?? []).map((param) => value(param)), node);
  return { ...result, aggregate: values.some((arg) => arg.aggregate) };
}

// Where there is no such row the engine gives the type's own zero; SQL says NULL.
function missingAsNull(arg: Resolved): Resolved {
  return arg.type.nullable ? arg : call('toNullable', [arg], { ...arg.type, nullable: true }, arg);
}

// A constant sorts and parts nothing, and must not print as a position.
function asKey(expr: Resolved): Resolved {
  return expr.kind === 'constant' ? call('identity', [constant(0, plain('integer'), expr)], plain('integer'), expr) : expr;
}

function frameOf({ over_expr: { frame_method: method, frame_start: from, frame_end: to } }: WindowFunction): WindowFrame | undefined {
  if (!method || !from) return undefined;
  return { method, from: boundOf(from), to: to ? boundOf(to) : undefined };
}

function boundOf({ frame_type: type, frame_value: rows }: WindowFrameExpr): WindowFrame['from'] {
  return type === 'CURRENT ROW' ? { type } : { type, rows };
}
