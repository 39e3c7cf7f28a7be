import { SpanError } from '../query-error.ts';
import type { Call, Constant, Expression } from '../tree/expressions.ts';
import type { OrderExpr } from '../tree/statements.ts';

// Aggregates by their names in other databases, rewritten in words of the language itself. Every part of a call stays
// in one place: a part that is written twice would be resolved twice, at each level of a nested query.

/** A call of `string_agg`, `json_agg`, `percentile_cont` and `percentile_disc`, or with WITHIN GROUP, as the calls that it stands for; others as they are. */
export function spelledAggregate(node: Call): Expression {
  const name = node.name.toLowerCase();
  const call = node.within_group ? withinGroup(node, name, node.within_group) : node;
  if (name === 'string_agg') return stringAgg(call);
  if (name === 'json_agg')
    return { node: 'Call', name: 'toJSONString', args: [{ ...call, name: 'groupArray' }], ...span(node) };
  if (call === node && (name === 'percentile_cont' || name === 'percentile_disc'))
    throw new SpanError('wrong_arguments', `${node.name} is written ${node.name}(0.5) WITHIN GROUP (ORDER BY x)`, node);
  return call;
}

/** The names above that the function table does not hold. */
export const spelledAggregates: readonly string[] = ['string_agg', 'json_agg', 'percentile_cont', 'percentile_disc'];

function withinGroup({ within_group, params = [], ...node }: Call, name: string, keys: OrderExpr[]): Call {
  if (name === 'array_agg' || name === 'grouparray' || name === 'string_agg' || name === 'json_agg')
    return { ...node, args: params, order_by: keys };
  const [key, ...more] = keys as [OrderExpr, ...OrderExpr[]];
  const [level, ...others] = params;
  const quantile =
    name === 'percentile_cont'
      ? 'quantileExactInclusive'
      : /^quantile\w*$/.test(name) && !name.startsWith('quantiles')
        ? node.name
        : undefined;
  if (quantile === undefined && name !== 'percentile_disc')
    throw new SpanError(
      'not_supported',
      `WITHIN GROUP is possible with percentile_cont, percentile_disc, quantile, string_agg and array_agg; ${node.name} has its arguments, and an ORDER BY after them, in its own brackets`,
      node,
    );
  if (
    level?.node !== 'Constant' ||
    typeof level.value !== 'number' ||
    level.value < 0 ||
    level.value > 1 ||
    others.length > 0 ||
    more.length > 0
  )
    throw new SpanError(
      'wrong_arguments',
      `Expected one number from 0 to 1 and one key: ${node.name}(0.5) WITHIN GROUP (ORDER BY x)`,
      level ?? node,
    );
  if (quantile === undefined) return discrete(node, level, key);
  const from = key.order === 'DESC' ? { ...level, value: 1 - level.value } : level;
  return { ...node, name: quantile, params: [from], args: [key.expr] };
}

// The first value, in this order, at or before which this fraction of the values lies.
function discrete(node: Omit<Call, 'within_group' | 'params'>, level: Constant, key: OrderExpr): Call {
  const at = span(node);
  const constant = (value: number): Constant => ({ node: 'Constant', value, ...at });
  const call = (name: string, ...args: Expression[]): Call => ({ node: 'Call', name, args, ...at });
  const values: Expression = { node: 'Field', chain: ['__values'], ...at };
  const place = call(
    'greatest',
    constant(1),
    call('toInt', call('ceil', call('multiply', level, call('length', values)))),
  );
  const body = call('arrayElementOrNull', values, place);
  const sorted: Call = { ...node, name: 'groupArray', args: [key.expr], order_by: [key] };
  return call(
    'arrayElement',
    call(
      'arrayMap',
      { node: 'Lambda', args: ['__values'], expr: body, ...at },
      { node: 'Array', exprs: [sorted], ...at },
    ),
    constant(1),
  );
}

function stringAgg(node: Call): Call {
  const [value, separator, ...rest] = node.args;
  if (!value || !separator || rest.length > 0 || node.params)
    throw new SpanError(
      'wrong_arguments',
      `${node.name}() takes a text and a separator: string_agg(event, ', ')`,
      node,
    );
  return { ...node, name: 'groupConcat', params: [separator], args: [value] };
}

function span({ start, end }: { start: number; end: number }): { start: number; end: number } {
  return { start, end };
}
