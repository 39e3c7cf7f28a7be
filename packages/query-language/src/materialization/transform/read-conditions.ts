import type { Expression } from '../../tree/expressions.ts';
import type { PlannedKey } from '../plan.ts';
import type { Lifted } from '../variables/lifted.ts';
import { callOf, storedColumn } from './make-nodes.ts';
import { mapTree } from './map-tree.ts';

/** The conditions of the variables, on the stored columns (contract/endpoints 6.4, 6.5). */
export function readConditions(lifted: readonly Lifted[], keys: readonly PlannedKey[]): Expression[] {
  return lifted.map((each) => {
    const key = keys.find(({ variable }) => variable === each.variable);
    return mapTree(each.condition, (node) => {
      if (node === each.subject) return storedColumn(key?.column ?? '');
      return node === each.value && key?.bucketFn ? callOf(key.bucketFn, each.value) : undefined;
    });
  });
}
