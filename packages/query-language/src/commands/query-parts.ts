import { costOf, spend } from '../budget.ts';
import type { Resolved, ResolvedColumn, ResolvedQuery, ResolvedSelect, Source } from '../resolved.ts';

/** The parts of the expressions of a SELECT, each once; sub-queries are not looked into. */
interface Parts {
  aggregates: readonly Resolved[];
  windows: readonly Resolved[];
  queries: readonly ResolvedQuery[];
  columns: ReadonlyMap<Source, readonly ResolvedColumn[]>;
  /** Conditions of its WHERE that all have to hold. */
  conditions: readonly Resolved[];
}

/** Looks through the expressions of a SELECT, once for each part. Spends of the budget around it. */
export function partsOfSelect(select: ResolvedSelect): Parts {
  const seen = new Set<Resolved>();
  const open = rootsOf(select).toReversed();
  for (let expr = open.pop(); expr; expr = open.pop()) {
    if (seen.has(expr)) continue;
    spend(costOf.visit, expr);
    seen.add(expr);
    open.push(...partsOf(expr).toReversed());
  }
  const all = [...seen];
  return {
    aggregates: all.filter(isAggregate),
    windows: all.filter(({ kind }) => kind === 'window'),
    queries: all.flatMap((expr) => (expr.kind === 'query' ? [expr.query] : [])),
    columns: Map.groupBy(
      all.filter((expr) => expr.kind === 'column'),
      ({ source }) => source,
    ),
    conditions: select.where ? conditionsOf(select.where) : [],
  };
}

// An aggregate itself, not what is computed of one.
function isAggregate(expr: Resolved): boolean {
  return expr.kind === 'call' && expr.aggregate && !expr.args.some(({ aggregate }) => aggregate);
}

function rootsOf(select: ResolvedSelect): Resolved[] {
  return [
    ...select.values,
    ...select.withs.flatMap((entry) => (entry.kind === 'scalar' ? [entry.expr] : [])),
    ...select.joins.flatMap(({ on }) => on ?? []),
    ...(select.arrayJoin?.items ?? []).map(({ array }) => array),
    ...[select.where, select.having, select.qualify].filter((expr) => expr !== undefined),
    ...select.groupBy,
    ...(select.grouping?.sets.flat() ?? []),
    ...select.windows.flatMap(({ partitionBy, orderBy }) => [...partitionBy, ...orderBy.map(({ expr }) => expr)]),
    ...select.orderBy.map(({ expr }) => expr),
    ...(select.limitBy?.exprs ?? []),
    ...(select.interpolate ?? []).flatMap(({ value }) => value ?? []),
  ];
}

function partsOf(expr: Resolved): readonly Resolved[] {
  if (expr.kind === 'json') return [expr.base];
  if (expr.kind === 'lambda') return [expr.body];
  if (expr.kind === 'call') return [...expr.params, ...expr.args];
  if (expr.kind !== 'window') return [];
  return [
    ...(expr.call.kind === 'call' ? expr.call.args : []),
    ...expr.over.partitionBy,
    ...expr.over.orderBy.map((item) => item.expr),
  ];
}

/** The conditions that all have to hold. */
export function conditionsOf(expr: Resolved): readonly Resolved[] {
  const open = [expr];
  const found: Resolved[] = [];
  for (let part = open.pop(); part; part = open.pop()) {
    if (part.kind === 'call' && part.name === 'and') open.push(...part.args.toReversed());
    else found.push(part);
  }
  return found;
}
