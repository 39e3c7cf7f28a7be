import type { TreeNode } from '../../tree/expressions.ts';
import type { SelectQuery, Statement } from '../../tree/statements.ts';
import { volatileIn } from '../selects/aggregates.ts';
import { groupKeys, groupingOf, hasDifferingGroups, outputName, valueOf } from '../selects/select-shape.ts';
import { treeKey } from '../selects/tree-key.ts';
import { nodesOf } from '../selects/walk.ts';
import { bucketKeyOf, bucketUnits, type BucketKey, type BucketUnit } from './bucket-key.ts';
import { exactColumns } from './exact-columns.ts';

/** A build of which each stored row is made of the events of one bucket of time alone. */
export interface PlannedBuckets {
  /** Name of the stored column that holds the bucket. */
  readonly column: string;
  readonly unit: BucketUnit;
  readonly key: BucketKey;
  /** The build itself. */
  readonly query: SelectQuery;
  /** Columns in which two builds of the same events agree, but for those that turn out to be floats. */
  readonly exact: readonly string[];
}

/** The buckets of a build; or why each must be whole, in words for the developers of this. */
export type BucketsOrWhole = { readonly buckets: PlannedBuckets } | { readonly whole: string };

/**
 * Can a build be done again for some of its buckets? It can where it groups `events`, and nothing else, by a bucket of `timestamp` that it
 * stores, and nothing of it looks at other rows, at the clock, or cuts the result. Sub-queries are refused whatever they read, and so are
 * placeholders: `{filters}` has dates that move. The compiled query says besides which tables it reads for columns of `events`. Pure.
 */
export function planBuckets(build: Statement): BucketsOrWhole {
  if (build.node !== 'SelectQuery') return { whole: 'it is a set of queries' };
  const reason = reasonOf(build);
  if (reason !== undefined) return { whole: reason };
  const names = new Map<string, string>();
  for (const item of build.select.toReversed()) {
    const name = outputName(item);
    if (name !== undefined) names.set(treeKey(valueOf(item)), name);
  }
  const found = groupKeys(build).flatMap((expr) => {
    const key = bucketKeyOf(expr, build);
    const column = names.get(treeKey(expr));
    return key && column !== undefined ? [{ key, column }] : [];
  });
  const [longest] = found.sort((a, b) => bucketUnits.indexOf(a.key.unit) - bucketUnits.indexOf(b.key.unit));
  if (longest === undefined) return { whole: 'it stores no bucket of timestamp that it groups by' };
  const { key, column } = longest;
  return { buckets: { column, unit: key.unit, key, query: build, exact: exactColumns(build) } };
}

function reasonOf(query: SelectQuery): string | undefined {
  const from = query.select_from;
  const isEvents = from?.table.node === 'Field' && from.table.chain.length === 1 && from.table.chain[0] === 'events';
  if (!isEvents || from.next_join || from.table_final || from.table_args || from.columns)
    return 'it reads something else than events';
  if (groupingOf(query) !== 'keys' || hasDifferingGroups(query)) return 'it does not group by keys alone';
  const clause = clauses.find((name) => query[name] !== undefined);
  if (clause !== undefined) return `it has ${clause}`;
  if (query.order_by?.some((item) => item.with_fill)) return 'it fills gaps';
  if (volatileIn(query).length > 0) return 'it looks at the clock or at chance';
  const times = new Set(['timestamp', from.alias ?? 'events']);
  for (const node of nodesOf(query)) {
    const why = node === query ? undefined : reasonOfNode(node, times);
    if (why !== undefined) return why;
  }
  return undefined;
}

const clauses = [
  'ctes',
  'distinct',
  'array_join_list',
  'qualify',
  'window_exprs',
  'interpolate',
  'limit_by',
  'limit',
  'limit_with_ties',
  'offset',
] as const satisfies readonly (keyof SelectQuery)[];

function reasonOfNode(node: TreeNode, times: ReadonlySet<string>): string | undefined {
  switch (node.node) {
    case 'SelectQuery':
    case 'SelectSetQuery':
      return 'it has a sub-query';
    case 'WindowFunction':
      return 'it has a window';
    case 'Placeholder':
      return 'it has a placeholder';
    case 'Alias':
      // In WHERE the name would be that value.
      return times.has(node.alias) ? `it calls something else ${node.alias}` : undefined;
    default:
      return undefined;
  }
}
