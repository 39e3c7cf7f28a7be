import { Budget, within } from '@millrace/query-language/budget.ts';
import { checkDefinition } from '@millrace/query-language/materialization/check-definition.ts';
import { planMaterialization } from '@millrace/query-language/materialization/plan-materialization.ts';
import type { Planned } from '@millrace/query-language/materialization/plan.ts';
import { readDeclarations } from '../definition/variables.ts';
import type { InsightKind } from '../insights/insight-kind.ts';
import { insightKindOf } from '../insights/insight-kinds.ts';
import type { CheckedQuery, SavedQuery } from './check-query.ts';

/** A plan; the kind of an insight, whose statement depends on the moment of the build; or the first rule that refuses the query. */
export type PlannedStored = Planned | { readonly ok: true; readonly insight: InsightKind };

/**
 * Plans the build and the read of a definition, or says which rule refuses it (contract/endpoints 6.2 to 6.5): previews and builds have the same
 * plan. Parsing aside, it takes at most `units`. Pure.
 * @throws {SpanError} query_too_large: it takes more
 */
export function planStored(
  saved: SavedQuery,
  bucketOverrides: Readonly<Record<string, string>> | null,
  units?: number,
): PlannedStored {
  const insight = insightKindOf(saved);
  const checked = checkDefinition(saved);
  if (!checked.ok) return checked;
  if (insight !== undefined) return { ok: true, insight };
  const query = saved as CheckedQuery;
  const { tree } = checked;
  if (tree === undefined) throw new Error('a query of SQL has a tree');
  const plan = (): Planned => planMaterialization(tree, readDeclarations(query.variables), bucketOverrides);
  return units === undefined ? plan() : within(new Budget(units), plan);
}
