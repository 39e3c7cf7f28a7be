import { costOf, spend } from '../../budget.ts';
import { SpanError } from '../../query-error.ts';
import type { Resolved, ResolvedColumn, ResolvedSelect } from '../../resolved.ts';

// The engine refuses these as well, but without a position in the author's text and in words of its own SQL.

/** Refuses columns beside aggregates that no key of GROUP BY speaks of, and functions of windows in WHERE and GROUP BY. Throws `illegal_aggregate`. */
export function checkSelect(select: ResolvedSelect): ResolvedSelect {
  const { values, groupBy, having, orderBy, where } = select;
  let known: ReadonlyMap<string, Resolved | undefined> | undefined;
  const byName = (name: string): Resolved | undefined => (known ??= namedValues(select)).get(name);
  traverse([...(where ? [where] : []), ...groupBy], byName, { window: refuseWindow });
  // HAVING of a SELECT without groups filters its rows.
  const grouped = groupBy.length > 0 || having?.aggregate === true || values.some((value) => value.aggregate);
  if (!grouped || select.grouping) return select;
  const spokenOf = new Set<string>();
  traverse(groupBy, byName, {
    column: (column) => {
      spend(costOf.groupColumn, column);
      spokenOf.add(locationOf(column));
    },
  });
  const column = (found: ResolvedColumn): void => {
    if (!spokenOf.has(locationOf(found))) throw ungrouped(found, groupBy.length > 0);
  };
  traverse([...values, ...(having ? [having] : []), ...orderBy.map(({ expr }) => expr)], byName, {
    column,
    intoAggregates: false,
  });
  return select;
}

// Meaning of the names in its clauses: columns of the SELECT, and values of WITH.
function namedValues({ columns, values, withs }: ResolvedSelect): Map<string, Resolved | undefined> {
  const scalars = withs.flatMap((entry): [string, Resolved][] =>
    entry.kind === 'scalar' ? [[entry.name, entry.expr]] : [],
  );
  return new Map([
    ...columns.map(({ sqlName }, at): [string, Resolved | undefined] => [sqlName, values[at]]),
    ...scalars,
  ]);
}

function refuseWindow(window: Resolved): void {
  throw new SpanError(
    'illegal_aggregate',
    'A window function is not allowed in WHERE and GROUP BY; filter it with QUALIFY, or in an outer query',
    window,
  );
}

function ungrouped(column: ResolvedColumn, hasKeys: boolean): SpanError {
  const saying = (name: string): string =>
    `${name} is neither in GROUP BY nor inside an aggregate function; ${hasKeys ? 'add it to GROUP BY' : `add GROUP BY ${name}`}, or write any(${name})`;
  return new SpanError(
    'illegal_aggregate',
    { saying, fallback: column.location.key ?? column.location.column },
    column,
  );
}

/** The same text for the same column of the same table. */
export function locationOf({ source, location }: ResolvedColumn): string {
  return `${source.alias}\n${location.column}\n${location.sql ?? ''}\n${location.join?.name ?? ''}\n${location.oneToMany?.name ?? ''}\n${location.key === undefined ? '' : `[${location.key}`}`;
}

interface Visit {
  column?: (column: ResolvedColumn) => void;
  window?: (window: Resolved) => void;
  /** Left out: yes. */
  intoAggregates?: false;
}

// Each value is visited once, however many names and aliases of lambdas stand for it: followed every time they would double.
function traverse(roots: readonly Resolved[], byName: (name: string) => Resolved | undefined, visit: Visit): void {
  const seen = new Set<Resolved>();
  for (const root of roots) {
    const open: Resolved[] = [root];
    for (let expr = open.pop(); expr; expr = open.pop()) {
      if (seen.has(expr)) continue;
      seen.add(expr);
      if (expr.kind === 'column') visit.column?.(expr);
      else if (expr.kind === 'window') visit.window?.(expr);
      open.push(...partsOf(expr, byName, visit));
    }
  }
}

function partsOf(expr: Resolved, byName: (name: string) => Resolved | undefined, visit: Visit): readonly Resolved[] {
  if (expr.kind === 'json') return [expr.base];
  if (expr.kind === 'lambda') return [expr.body];
  if (expr.kind === 'call') return inside(expr, visit);
  if (expr.kind === 'window')
    return [
      ...(expr.call.kind === 'call' ? expr.call.args : []),
      ...expr.over.partitionBy,
      ...expr.over.orderBy.map((item) => item.expr),
    ];
  const value = expr.kind === 'name' ? byName(expr.name) : undefined;
  return value ? [value] : [];
}

function inside(call: Resolved & { kind: 'call' }, { intoAggregates }: Visit): readonly Resolved[] {
  const isAggregate = call.aggregate && !call.args.some((arg) => arg.aggregate);
  return isAggregate && intoAggregates === false ? [] : call.args;
}
