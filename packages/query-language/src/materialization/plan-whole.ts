import type { SelectQuery, Statement } from '../tree/statements.ts';
import type { Planned } from './plan.ts';
import { FreshNames } from './selects/fresh-names.ts';
import { finding, refuse } from './rules/finding.ts';
import { rules } from './rules/rules.ts';
import { volatileIn } from './selects/aggregates.ts';
import { outputName } from './selects/select-shape.ts';
import { limitsOf } from './transform/order-of.ts';
import { readAsStored } from './transform/read-as-stored.ts';
import { readOf } from './transform/read-of.ts';

/**
 * The plan of a query without variables: it is stored whole, cut as it says, and its table is read in its order. LIMIT is no part of the
 * read: the table holds no more.
 */
export function planWhole(tree: Statement): Planned {
  const common = {
    keys: [],
    rangePairs: [],
    aggregates: [],
    isReaggregated: false,
    emptyMeansInline: false,
    volatile: volatileIn(tree),
  };
  if (tree.node === 'SelectSetQuery') {
    const read = readOf({ select: undefined }, [], []);
    return { ok: true, plan: { build: tree, read, columns: undefined, hidden: [], ...common } };
  }
  const stored = readAsStored(withoutFill(tree), new FreshNames(tree));
  if ('rule' in stored) return refuse([stored]);
  if (tree.distinct && stored.added.length > 0)
    return refuse([finding(rules.sorted, 'DISTINCT is sorted by something that it does not select', tree)]);
  const { select, order_by } = stored.read;
  return {
    ok: true,
    plan: {
      build: { ...stored.build, ...sortedAndCut(tree) },
      read: readOf({ select, ...(order_by && { order_by }) }, [], stored.added),
      columns: select && tree.select.map((item) => outputName(item) ?? ''),
      hidden: stored.added,
      ...common,
    },
  };
}

function sortedAndCut(tree: SelectQuery): Partial<SelectQuery> {
  const { order_by, interpolate } = tree;
  return { ...(order_by && { order_by }), ...(interpolate && { interpolate }), ...limitsOf(tree) };
}

// The rows that fill gaps are stored with the others.
function withoutFill({ interpolate: _, ...tree }: SelectQuery): SelectQuery {
  return {
    ...tree,
    ...(tree.order_by && { order_by: tree.order_by.map(({ with_fill: _fill, ...item }) => item) }),
  };
}
