import type { Expression } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import { isSameTree } from '../../tree/tree-nodes.ts';
import { treeKey } from '../selects/tree-key.ts';
import { groupKeys, groupingOf, outputName, valueOf } from '../selects/select-shape.ts';
import { named } from './make-nodes.ts';

/** A column that a SELECT gets, and groups by if it groups. */
export interface AddedKey {
  readonly column: string;
  readonly expression: Expression;
}

/** The SELECT with these columns, those that it has left as they are (contract/endpoints 6.3). */
export function addKeys(query: SelectQuery, keys: readonly AddedKey[]): SelectQuery {
  const added = keys.filter(({ column, expression }) => !hasColumn(query, column, expression));
  const select = [...query.select, ...added.map(({ column, expression }) => named(expression, column))];
  if (groupingOf(query) === 'none' || query.group_by_mode === 'all') return { ...query, select };
  const group_by = [...(query.group_by ?? [])];
  const known = new Set([...groupKeys(query), ...group_by].map(treeKey));
  for (const { expression } of keys) {
    const key = treeKey(expression);
    if (known.has(key)) continue;
    known.add(key);
    group_by.push(expression);
  }
  return { ...query, select, group_by };
}

/** Does a SELECT show this value under this name? Behind the SELECT list an alias is its own value. */
export function hasColumn({ select }: SelectQuery, column: string, expression: Expression): boolean {
  const isAlias = expression.node === 'Field' && expression.chain.length === 1 && expression.chain[0] === column;
  return select.some(
    (item) =>
      outputName(item) === column && (isSameTree(valueOf(item), expression) || (isAlias && item.node === 'Alias')),
  );
}
