import type { Statement } from '../tree/statements.ts';
import { resultNames } from './keys/subject-types.ts';
import type { MaterializationPlan, Planned, PlannedVariable, Refused } from './plan.ts';
import { planVariables } from './plan-variables.ts';
import { planWhole } from './plan-whole.ts';
import { finding, refuse } from './rules/finding.ts';
import { rules } from './rules/rules.ts';
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
  const planned = planOf(tree, variables, bucketOverrides);
  return planned.ok ? (refusalOfNames(tree, planned.plan) ?? planned) : planned;
}

function planOf(
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

// Only a star shows columns of one name: others are stored under names of their own.
function refusalOfNames(tree: Statement, { build, columns }: MaterializationPlan): Refused | undefined {
  const names = columns === undefined ? (resultNames(build) ?? []) : [];
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  return twice === undefined
    ? undefined
    : refuse([
        finding(rules.sameNames, `the query has a star and several columns named ${twice}; name the columns`, tree),
      ]);
}
