import { spelledAggregates } from '../../functions/aggregate-spellings.ts';
import { findFunction, type FoundFunction } from '../../functions/find-function.ts';
import { SpanError } from '../../query-error.ts';
import type { Call, TreeNode } from '../../tree/expressions.ts';
import { isNoQuery, nodesOf } from './walk.ts';

/** Functions that make one value of several stored ones. */
type Reaggregate = 'sum' | 'min' | 'max';

const reaggregates: ReadonlyMap<string, Reaggregate> = new Map([
  ['count', 'sum'],
  ['sum', 'sum'],
  ['min', 'min'],
  ['max', 'max'],
]);

/** Is this the call of an aggregate function? */
export function isAggregate(node: TreeNode): node is Call {
  if (node.node !== 'Call') return false;
  return spelledAggregates.includes(node.name.toLowerCase()) || functionOf(node)?.kind === 'aggregate';
}

/** The aggregates in a tree, sub-queries left out. None is inside another. */
export function aggregatesIn(tree: TreeNode): Call[] {
  return [...nodesOf(tree, (node) => isNoQuery(node) && !isAggregate(node))].filter(isAggregate);
}

/** The function that puts values of this aggregate together; undefined where there is none. */
export function reaggregateOf(node: Call): Reaggregate | undefined {
  const found = functionOf(node);
  if (found?.kind !== 'aggregate' || node.distinct || node.order_by || node.within_group || node.nulls || node.params)
    return undefined;
  return found.combinators.every((combinator) => combinator === 'If')
    ? reaggregates.get(found.signature.clickhouse)
    : undefined;
}

/** The call that counts the rows which this aggregate looked at, for one with a condition; undefined for others. */
export function countOf({ args, filter_expr, start, end, ...node }: Call): Call | undefined {
  const condition = functionOf({ ...node, args, start, end });
  const isIf = condition?.kind === 'aggregate' && condition.combinators.includes('If');
  const last = isIf ? args[args.length - 1] : filter_expr;
  return last && { node: 'Call', name: 'countIf', args: [last], start, end };
}

function functionOf(node: Call): FoundFunction | undefined {
  try {
    return findFunction(node);
  } catch (error) {
    if (error instanceof SpanError) return undefined;
    throw error;
  }
}

const momentNames: ReadonlySet<string> = new Set(['current_date', 'current_timestamp', 'localtimestamp']);
const volatileNames: ReadonlySet<string> = new Set([
  ...momentNames,
  'now',
  'now64',
  'today',
  'yesterday',
  'curdate',
  'rand',
  'rand64',
  'randcanonical',
  'generateuuidv4',
]);

/** Functions in a tree whose values change from run to run, each once, as they are written first. */
export function volatileIn(tree: TreeNode): string[] {
  const found = new Map<string, string>();
  for (const node of nodesOf(tree)) {
    const name = volatileName(node);
    if (name !== undefined && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), name);
  }
  return [...found.values()];
}

/** The name of a function whose value changes from run to run; undefined for other nodes. */
function volatileName(node: TreeNode): string | undefined {
  if (node.node === 'Call') return volatileNames.has(node.name.toLowerCase()) ? node.name : undefined;
  const [name = ''] = node.node === 'Field' && node.chain.length === 1 && !node.quoted ? node.chain : [];
  return momentNames.has(name.toLowerCase()) ? name : undefined;
}
