import { withoutNulls } from './definition/checked-definition.ts';
import { breakdownsOf } from './insight-variables.ts';
import { insightKindOf } from './insight-kinds.ts';

/** Properties whose values are variables of a saved query: none of SQL, and of kinds without breakdowns. In the order of the breakdown, each once. Pure. */
export function breakdownVariables(query: Readonly<Record<string, unknown>>): string[] {
  const kind = insightKindOf(query);
  if (kind === undefined || kind.breakdownAt === null) return [];
  return [...new Set(breakdownsOf(withoutNulls(query) as object).map(({ property }) => property))];
}
