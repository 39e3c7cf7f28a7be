import type { Expression } from '../../tree/expressions.ts';
import type { OrderExpr, SelectQuery } from '../../tree/statements.ts';
import { isSameTree } from '../../tree/tree-nodes.ts';
import { outputName, valueOf } from '../selects/select-shape.ts';

/**
 * The column of a SELECT that one of its ORDER BY means, by its place from 0; `as it is` for a number and for ALL, which mean the same when
 * the table is read; undefined for what is no column.
 */
export function sortedColumn(
  { expr }: OrderExpr,
  { select, order_by = [] }: SelectQuery,
): { at: number } | 'as it is' | undefined {
  if (expr.node === 'Constant') return 'as it is';
  const [name = '', ...rest] = expr.node === 'Field' ? expr.chain : [];
  const isName = expr.node === 'Field' && rest.length === 0;
  const tests: ((item: Expression) => boolean)[] = [
    (item) => isName && item.node === 'Alias' && item.alias === name,
    (item) => isName && outputName(item) === name,
    (item) => !(isName && isAll(name, order_by)) && isSameTree(valueOf(item), expr),
  ];
  for (const test of tests) {
    const at = select.findIndex(test);
    if (at !== -1) return { at };
  }
  return isName && isAll(name, order_by) ? 'as it is' : undefined;
}

function isAll(name: string, order: readonly OrderExpr[]): boolean {
  return name.toLowerCase() === 'all' && order.length === 1;
}

/** LIMIT, OFFSET and WITH TIES of a SELECT. */
export function limitsOf({ limit, offset, limit_with_ties }: SelectQuery): Partial<SelectQuery> {
  return { ...(limit && { limit }), ...(offset && { offset }), ...(limit_with_ties && { limit_with_ties }) };
}
