import type { Statement } from '../tree/statements.ts';
import type { Planned, PlannedVariable } from './plan.ts';
import { planVariables } from './plan-variables.ts';
import { planWhole } from './plan-whole.ts';
import { refuse } from './rules/finding.ts';
import { findUses } from './variables/find-uses.ts';

/**
 * How a query is stored, and how its table is read, for every value of its variables (contract/endpoints 6.2 to 6.5); or the first rule
 * that refuses it. The query has been compiled before: names and types are right. `variables` are those that are declared.
 * `bucketOverrides` are words of `bucketFunctions` by the path of a column; others are ignored. Pure.
 */
export function planMaterialization(
  tree: Statement,
  variables: readonly PlannedVariable[],
  bucketOverrides: Readonly<Record<string, string>> | null,
): Planned {
  const { home, findings } = findUses(tree, variables);
  if (home && tree.node === 'SelectQuery')
    return planVariables(tree, { home, findings }, variables, bucketOverrides ?? {});
  const [first, ...others] = findings;
  return first ? refuse([first, ...others]) : planWhole(tree);
}
