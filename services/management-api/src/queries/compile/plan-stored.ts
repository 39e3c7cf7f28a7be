import { Budget, within } from '@millrace/query-language/budget.ts';
import { checkDefinition } from '@millrace/query-language/materialization/check-definition.ts';
import { planMaterialization } from '@millrace/query-language/materialization/plan-materialization.ts';
import type { Planned } from '@millrace/query-language/materialization/plan.ts';
import { readDeclarations } from '../definition/variables.ts';
import type { CheckedQuery } from './check-query.ts';

/**
 * Plans the build and the read of a definition, or says which rule refuses it (contract/endpoints 6.2 to 6.5): previews and builds have the same
 * plan. Parsing aside, it takes at most `units`. Pure.
 * @throws {SpanError} query_too_large: it takes more
 */
export function planStored(
  query: CheckedQuery,
  bucketOverrides: Readonly<Record<string, string>> | null,
  units?: number,
): Planned {
  const checked = checkDefinition(query);
  if (!checked.ok) return checked;
  const { tree } = checked;
  // Insights are not stored yet.
  if (tree === undefined) throw new Error('there is no SQL to plan');
  const plan = (): Planned => planMaterialization(tree, readDeclarations(query.variables), bucketOverrides);
  return units === undefined ? plan() : within(new Budget(units), plan);
}
