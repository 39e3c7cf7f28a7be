import { costOf, spend } from '../budget.ts';
import { aggregateCall } from './aggregate-calls.ts';
import { checkParameters } from './aggregate-parameters.ts';
import { argumentOf, itemOf, lambdaOf, named } from '../operators/array-items.ts';
import { isNotNull, isNull } from '../operators/comparisons.ts';
import { toCondition, toText } from '../operators/conversions.ts';
import { readByType } from '../operators/learned-types.ts';
import { aggregateFunctions } from './function-table.ts';
import { SpanError, type Span } from '../query-error.ts';
import { call, constant, fixed, type Resolved } from '../resolved.ts';
import type { FoundFunction } from './find-function.ts';
import type { Call } from '../tree/expressions.ts';
import type { OrderExpr } from '../tree/statements.ts';
import { nullable, plain, type ValueKind, type ValueType } from '../types.ts';

// `groupArray(x ORDER BY y)`: the engine has no such thing. Values are collected beside their keys and sorted then.

type Found = FoundFunction & { kind: 'aggregate' };

/** A key of the ORDER BY inside an aggregate. */
export interface Key extends Pick<OrderExpr, 'order' | 'nulls'> {
  expr: Resolved;
  /** It is the value itself. */
  isValue: boolean;
}

const collecting: ReadonlySet<string> = new Set(['groupArray', 'groupUniqArray', 'groupConcat']);
const picking: Readonly<Record<string, 'first' | 'last'>> = { any: 'first', anyLast: 'last' };

/** An aggregate whose rows come in an order, or (without keys) one that collects NULLs too. Throws `not_supported` for those that know no order. */
export function orderedAggregate(
  found: Found,
  args: readonly Resolved[],
  params: readonly Resolved[],
  keys: readonly Key[],
  node: Call,
): Resolved {
  spend(costOf.sorted, node);
  const { clickhouse } = found.signature;
  const picked = Object.hasOwn(picking, clickhouse) ? picking[clickhouse] : undefined;
  const condition = found.combinators[0] === 'If' ? args[1] : undefined;
  if (!collecting.has(clickhouse) && !picked)
    throw new SpanError(
      'not_supported',
      `${node.name}() takes no ORDER BY; groupArray, array_agg, groupConcat, string_agg, any and anyLast do`,
      node,
    );
  const value = args[0] && readByType(args[0]);
  if (!value || args.length !== (condition ? 2 : 1) || found.combinators.length > (condition ? 1 : 0))
    throw new SpanError(
      'not_supported',
      `With ORDER BY, ${node.name}() takes one argument and no combinator other than -If`,
      node,
    );
  const checked = checkParameters(clickhouse, params, node);
  const distinct = node.distinct === true || clickhouse === 'groupUniqArray';
  if (distinct && keys.some((key) => !key.isValue))
    throw new SpanError(
      'not_supported',
      'Distinct values can only be sorted by themselves: groupArray(DISTINCT event ORDER BY event)',
      node,
    );
  const sorting = keys.filter((key) => key.expr.kind !== 'constant');
  const extreme = picked && node.nulls !== 'RESPECT' ? extremeOf(picked, sorting) : undefined;
  if (extreme)
    return aggregateCall(
      { ...found, signature: extreme },
      [
        value,
        tupleOf(
          sorting.map((key) => key.expr),
          node,
        ),
        ...(condition ? [condition] : []),
      ],
      [],
      { ...node, distinct: false },
    );
  const values = sortedValues(
    clickhouse === 'groupConcat' ? toText(value) : value,
    sorting,
    { condition, distinct },
    node,
  );
  if (picked)
    return call(
      'arrayElementOrNull',
      [values, constant(picked === 'first' ? 1 : -1, plain('integer'), node)],
      nullable(values.type.item ?? plain('unknown', true)),
      node,
    );
  const [between, most] =
    clickhouse === 'groupConcat' ? [checked[0] ?? fixed('', node), checked[1]] : [undefined, checked[0]];
  const kept = most
    ? call('arraySlice', [values, constant(1, plain('integer'), node), most], values.type, node)
    : values;
  return between ? call('arrayStringConcat', [kept, between], plain('text'), node) : kept;
}

const firm: ReadonlySet<ValueKind> = new Set(['integer', 'decimal', 'text', 'uuid', 'date', 'datetime', 'boolean']);

// One row of each group is stored instead of all, when no key is NULL or no number.
function extremeOf(picked: 'first' | 'last', keys: readonly Key[]): Found['signature'] | undefined {
  const [first] = keys;
  if (
    !first ||
    keys.some((key) => key.order !== first.order || key.expr.type.nullable || !firm.has(key.expr.type.kind))
  )
    return undefined;
  return aggregateFunctions.get((picked === 'first') === (first.order === 'ASC') ? 'argMin' : 'argMax');
}

function tupleOf(items: readonly Resolved[], span: Span): Resolved {
  const [only] = items;
  return items.length === 1 && only
    ? only
    : call('tuple', items, { kind: 'tuple', nullable: false, items: items.map((item) => item.type) }, span);
}

/** The values as an array in the order of the keys; NULLs stay out unless the query respects them. */
function sortedValues(
  value: Resolved,
  keys: readonly Key[],
  { condition, distinct }: { condition: Resolved | undefined; distinct: boolean },
  node: Call,
): Resolved {
  const row = call(
    'tuple',
    [value, ...keys.map((key) => key.expr)],
    { kind: 'tuple', nullable: false, items: [value.type, ...keys.map((key) => key.expr.type)] },
    node,
  );
  const leavesOut = value.type.nullable && node.nulls !== 'RESPECT';
  const conditions = [...(condition ? [toCondition(condition)] : []), ...(leavesOut ? [isNotNull(value, node)] : [])];
  const counted =
    conditions.length === 2 ? call('and', conditions, plain('boolean', condition?.type.nullable), node) : conditions[0];
  const { nulls: _nulls, ...unruled } = node;
  const signature = aggregateFunctions.get('groupArray') as Found['signature'];
  const rows = aggregateCall(
    { kind: 'aggregate', signature, combinators: counted ? ['If'] : [] },
    [row, ...(counted ? [counted] : [])],
    [],
    { ...unruled, distinct },
  );
  const item = itemOf(row.type, node);
  const member = memberOf(item, 1, value.type, node);
  const shown = leavesOut ? call('assumeNotNull', [member], { ...value.type, nullable: false }, node) : member;
  return call(
    'arrayMap',
    [lambdaOf(item, shown), sortedRows(rows, item, keys, node)],
    { kind: 'array', nullable: false, item: shown.type },
    node,
  );
}

function memberOf(tuple: Resolved, place: number, type: ValueType, span: Span): Resolved {
  return call('tupleElement', [tuple, constant(place, plain('integer'), span)], type, span);
}

// Each is inside the next one.
const runsMax = 8;

// One sort for all neighbours that go in one direction, the last keys first; each after the first keeps the order of equal rows.
function sortedRows(rows: Resolved, item: Resolved, keys: readonly Key[], span: Span): Resolved {
  const parts = keys.map((key, index) => ({
    ...key,
    parts: sortedBy(key, memberOf(item, index + 2, key.expr.type, span), span),
  }));
  const runs: { order: Key['order']; parts: Resolved[] }[] = [];
  for (const { order, parts: own } of parts) {
    const last = runs[runs.length - 1];
    if (last?.order === order) last.parts.push(...own);
    else runs.push({ order, parts: [...own] });
  }
  if (runs.length > runsMax)
    throw new SpanError(
      'query_too_large',
      `The ORDER BY changes between ASC and DESC more than ${runsMax - 1} times`,
      span,
    );
  return runs.reduceRight((sorted, run, index) => {
    const name = run.order === 'ASC' ? 'arraySort' : 'arrayReverseSort';
    if (index === runs.length - 1)
      return call(name, [lambdaOf(item, tupleOf(run.parts, span)), sorted], rows.type, span);
    return sortedAgain(name, sorted, item, run.parts, span);
  }, rows);
}

// NULL comes last in both directions, as in the engine's own ORDER BY.
function sortedBy(key: Key, member: Resolved, span: Span): Resolved[] {
  if (key.nulls !== 'FIRST' || !key.expr.type.nullable) return [member];
  return [key.order === 'ASC' ? isNotNull(member, span) : isNull(member, span), member];
}

// The array has a name inside, so that it is printed once.
function sortedAgain(name: string, rows: Resolved, item: Resolved, keys: readonly Resolved[], span: Span): Resolved {
  const integer = plain('integer');
  const place = argumentOf('__at', integer, span);
  const before = name === 'arraySort' ? place : call('negate', [place], integer, span);
  const compared: Resolved = {
    ...item,
    kind: 'lambda',
    args: ['__x', '__at'],
    body: tupleOf([...keys, before], span),
    type: plain('lambda'),
  };
  return named(
    { __rows: rows },
    ({ __rows: all }) =>
      call(
        name,
        [compared, all, call('arrayEnumerate', [all], { kind: 'array', nullable: false, item: integer }, span)],
        rows.type,
        span,
      ),
    span,
  );
}
