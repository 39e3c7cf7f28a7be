import { costOf, spend } from '../../budget.ts';
import { aggregateCall } from '../../functions/aggregate-calls.ts';
import type { Use } from '../../operators/comparisons.ts';
import { aggregateFunctions } from '../../functions/function-table.ts';
import { orderedAggregate, type Key } from '../../functions/ordered-aggregates.ts';
import { sortingKeys } from '../../operators/property-order.ts';
import { SpanError } from '../../query-error.ts';
import type { FoundFunction } from '../../functions/find-function.ts';
import type { Resolved } from '../../resolved.ts';
import { isSameTree } from '../../tree/tree-nodes.ts';
import type { Call, Expression } from '../../tree/expressions.ts';
import type { OrderExpr } from '../../tree/statements.ts';
import type { Scope } from '../names/scope.ts';

type Found = FoundFunction & { kind: 'aggregate' };

/** How the parts of a call are resolved. */
interface Parts {
  value: (part: Expression, use?: Use) => Resolved;
  list: (args: readonly Expression[]) => Resolved[];
}

/** Resolves a call of an aggregate function without a window, with its DISTINCT, FILTER, ORDER BY and NULLS. Throws `SpanError`. */
export function resolveAggregate(expr: Call, found: Found, scope: Scope, parts: Parts): Resolved {
  const around = scope.lambdasAroundAggregate;
  scope.lambdasAroundAggregate = scope.lambdas.length;
  const resolved = resolveGrouped(expr, found, scope, parts);
  scope.lambdasAroundAggregate = around;
  return resolved;
}

function resolveGrouped(expr: Call, found: Found, scope: Scope, { value, list }: Parts): Resolved {
  if (!scope.aggregatesAllowed)
    throw new SpanError(
      'illegal_aggregate',
      `The aggregate function ${expr.name}() is not allowed here; filter its result with HAVING`,
      expr,
    );
  const [first] = expr.args;
  const all = expr.args.length === 1 && first?.node === 'Field' && first.chain[first.chain.length - 1] === '*';
  if (all && found.signature.name !== 'count')
    throw new SpanError('wrong_arguments', `${expr.name}(*) is not possible; only count(*) is`, expr);
  if (all && expr.distinct) throw new SpanError('not_supported', 'count(DISTINCT *) is not supported yet', expr);
  if (found.combinators.includes('If') && expr.filter_expr)
    throw new SpanError(
      'wrong_arguments',
      `${expr.name}() already has a condition; remove FILTER or that condition`,
      expr.filter_expr,
    );
  const params = (expr.params ?? []).map((param) => value(param));
  const args = all ? [] : list(expr.args);
  const filtered = expr.filter_expr ? { ...found, combinators: [...found.combinators, 'If' as const] } : found;
  const inputs = expr.filter_expr ? [...args, value(expr.filter_expr, 'filter')] : args;
  const keys =
    expr.order_by ?? (expr.nulls === 'RESPECT' && found.signature.clickhouse === 'groupArray' ? [] : undefined);
  if (keys)
    return orderedAggregate(
      filtered,
      inputs,
      params,
      keys.flatMap((key) => sortingKeys(value(key.expr)).map((by) => keyOf(key, by, expr))),
      expr,
    );
  if (expr.distinct && args.length > 1 && found.signature.name === 'count') return distinctRows(expr, filtered, inputs);
  return aggregateCall(filtered, inputs, params, expr);
}

// `count(DISTINCT a, b)` counts pairs.
function distinctRows({ distinct: _distinct, ...node }: Call, found: Found, inputs: readonly Resolved[]): Resolved {
  spend(costOf.rewrite, node);
  return aggregateCall(
    { ...found, signature: aggregateFunctions.get('uniqExact') ?? found.signature },
    inputs,
    [],
    node,
  );
}

function keyOf(key: OrderExpr, expr: Resolved, { args: [first] }: Call): Key {
  if (key.with_fill) throw new SpanError('syntax_error', 'WITH FILL is only allowed in the ORDER BY of a query', key);
  return { expr, order: key.order, isValue: isSameTree(key.expr, first), ...(key.nulls ? { nulls: key.nulls } : {}) };
}
