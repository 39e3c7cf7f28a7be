import type { Expression } from '../../tree/expressions.ts';
import type { OrderExpr, SelectQuery } from '../../tree/statements.ts';
import { isSameTree } from '../../tree/tree-nodes.ts';
import { outputName, valueOf } from '../selects/select-shape.ts';

/** The column of a SELECT that one of its ORDER BY means, by its name; `place` for its number or ALL; undefined for anything else. */
export function sortedColumn(
  { expr }: OrderExpr,
  { select, order_by = [] }: SelectQuery,
): { name: string } | 'place' | undefined {
  if (expr.node === 'Constant') return 'place';
  const [name = '', ...rest] = expr.node === 'Field' ? expr.chain : [];
  const isName = expr.node === 'Field' && rest.length === 0;
  if (isName && select.some((item) => outputName(item) === name)) return { name };
  if (isName && name.toLowerCase() === 'all' && order_by.length === 1) return 'place';
  const same = select.find((item: Expression) => isSameTree(valueOf(item), expr));
  const column = same && outputName(same);
  return column === undefined ? undefined : { name: column };
}

/** LIMIT, OFFSET and WITH TIES of a SELECT. */
export function limitsOf({ limit, offset, limit_with_ties }: SelectQuery): Partial<SelectQuery> {
  return { ...(limit && { limit }), ...(offset && { offset }), ...(limit_with_ties && { limit_with_ties }) };
}
