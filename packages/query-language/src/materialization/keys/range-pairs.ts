import type { PlannedKey, RangePair } from '../plan.ts';
import type { DraftKey } from './draft-keys.ts';

/** The range variables by column, in the order in which they are written (contract/endpoints 6.7). */
export function rangePairs(drafts: readonly DraftKey[], keys: readonly PlannedKey[]): RangePair[] {
  const pairs = new Map<string, RangePair>();
  drafts.forEach(({ isRange, path, variable }, at) => {
    if (!isRange || path === undefined) return;
    const pair = pairs.get(path) ?? { column: path, variables: [], bucket_fn: keys[at]?.bucketFn ?? null };
    pair.variables.push(variable);
    pairs.set(path, pair);
  });
  return [...pairs.values()];
}
