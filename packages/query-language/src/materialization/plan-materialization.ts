import { parseSelect } from '../parse.ts';
import { QueryError } from '../query-error.ts';
import type { Statement } from '../tree/statements.ts';
import { resultNames } from './keys/subject-types.ts';
import type { MaterializationPlan, Planned, PlannedVariable, Refused } from './plan.ts';
import { planVariables } from './plan-variables.ts';
import { planWhole } from './plan-whole.ts';
import { finding, refuse } from './rules/finding.ts';
import { rules } from './rules/rules.ts';
import { writeStatement } from '../write/write-statement.ts';
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
  return planned.ok ? (refusalOfNames(tree, planned.plan) ?? refusalOfRead(tree, planned.plan) ?? planned) : planned;
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

// Runs parse the text of the read. Names of its columns stand in it twice where they are texts of expressions.
function refusalOfRead(tree: Statement, { read }: MaterializationPlan): Refused | undefined {
  try {
    parseSelect(writeStatement(read('table'), { keepNames: true }));
    return undefined;
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    return refuse([finding(rules.largeRead, `the query on its table could not be parsed: ${error.message}`, tree)]);
  }
}
