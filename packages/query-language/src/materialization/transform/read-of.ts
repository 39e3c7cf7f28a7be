import type { Expression } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import { allOf } from '../selects/tree-conditions.ts';
import { field, selectFrom } from './make-nodes.ts';
import type { StoredSelect } from './read-as-stored.ts';

/** The query on a table by its name: what is read, under these conditions. Without a SELECT list, all but the hidden columns. */
export function readOf(
  { select, ...clauses }: StoredSelect['read'],
  conditions: readonly Expression[],
  hidden: readonly string[],
): (table: string) => SelectQuery {
  const where = allOf(conditions);
  const star: Expression =
    hidden.length > 0 ? { node: 'ColumnsExpr', all_columns: true, exclude: [...hidden], start: 0, end: 0 } : field('*');
  return (table) => ({
    ...selectFrom(table, select ?? [star]),
    ...(where && { where }),
    ...clauses,
  });
}
