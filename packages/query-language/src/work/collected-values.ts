import { listOf, small, textOf, type Estimate } from './estimate.ts';
import type { RowContext } from './row-context.ts';
import type { ResolvedCall } from '../resolved.ts';

/** Is it an aggregate that keeps values of many rows? */
export function isCollecting({ aggregate, name }: ResolvedCall): boolean {
  return aggregate && /^(?:groupArray|groupUniqArray|topK|groupConcat)/.test(name);
}

/** Estimates the result of such an aggregate: a list, or a text of all values. Its parameter may bound how many they are. */
export function collectedValues(
  { params, type }: ResolvedCall,
  [item = small(true)]: readonly Estimate[],
  { collected, gathered }: RowContext,
): Estimate {
  const most = params.map((param) => (param.kind === 'constant' ? Number(param.value) : Infinity))[0] ?? Infinity;
  const items = Math.min(item.made ? collected : gathered, Number.isNaN(most) ? Infinity : most);
  return type.kind === 'text' ? textOf(items * (item.bytes + 1), false) : listOf(items, item, false);
}
