import type { Expression } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import { allOf, conjunctsOf, hasVariable } from '../selects/tree-conditions.ts';

/** The SELECT with each condition of WHERE and HAVING that has a variable in the place of what `rewrite` makes of it. */
export function inConditions(query: SelectQuery, rewrite: (conjunct: Expression) => Expression): SelectQuery {
  const { where, having, ...rest } = query;
  const [newWhere, newHaving] = [where, having].map((condition) => rewritten(condition, rewrite));
  if (newWhere === where && newHaving === having) return query;
  return { ...rest, ...(newWhere ? { where: newWhere } : {}), ...(newHaving ? { having: newHaving } : {}) };
}

function rewritten(
  condition: Expression | undefined,
  rewrite: (conjunct: Expression) => Expression,
): Expression | undefined {
  const before = conjunctsOf(condition);
  const after = before.map((conjunct) => (hasVariable(conjunct) ? rewrite(conjunct) : conjunct));
  return after.every((conjunct, at) => conjunct === before[at]) ? condition : allOf(after.flatMap(conjunctsOf));
}
