import type { Expression } from '../../tree/expressions.ts';
import type { OrderExpr, SelectQuery } from '../../tree/statements.ts';
import type { FreshNames } from '../selects/fresh-names.ts';
import { findingPart, type Finding } from '../rules/finding.ts';
import { rules } from '../rules/rules.ts';
import { isAggregate } from '../selects/aggregates.ts';
import { groupKeys, holdsAggregate, isStar, outputName, valueOf } from '../selects/select-shape.ts';
import { hasNode, isNoQuery } from '../selects/walk.ts';
import { named, storedColumn } from './make-nodes.ts';
import { limitsOf, sortedColumn } from './order-of.ts';
import { StoredColumns } from './stored-columns.ts';

/** A SELECT that is stored, and the parts by which its table is read. */
export interface StoredSelect {
  /** The SELECT without ORDER BY and LIMIT, with the columns that reading needs. */
  readonly build: SelectQuery;
  /** SELECT list, GROUP BY, HAVING, ORDER BY and LIMIT on the table; undefined SELECT list: every column that is not hidden. */
  readonly read: Partial<Omit<SelectQuery, 'select'>> & { readonly select: Expression[] | undefined };
  /** Columns that were added. */
  readonly added: readonly string[];
}

/** Stores the rows of a SELECT as they are, and sorts and cuts them when they are read (rules 34, 35, 37). */
export function readAsStored(query: SelectQuery, names: FreshNames): StoredSelect | Finding {
  const { order_by, interpolate, limit: _limit, offset: _offset, limit_with_ties: _ties, ...rest } = query;
  const stored = new StoredColumns(query, names);
  const sorted: OrderExpr[] = [];
  for (const item of order_by ?? []) {
    const column = sortedColumn(item, query);
    if (column === undefined && item.with_fill) return unfilled(item);
    if (column === 'as it is') sorted.push(item);
    else {
      const known = column && stored.nameAt(column.at);
      sorted.push({ ...item, expr: storedColumn(known ?? stored.columnOf(item.expr, 'sorted_by')) });
    }
  }
  const keys = stored.added.length > 0 && query.group_by_mode === 'all' ? keysOfAll(query) : undefined;
  if (keys && 'rule' in keys) return keys;
  const { group_by_mode: _mode, ...explicit } = rest;
  const select = query.select.some(isStar)
    ? undefined
    : query.select.map((item, at) => named(storedColumn(stored.nameAt(at) ?? ''), outputName(item) ?? ''));
  return {
    build: { ...(keys ? { ...explicit, ...keys } : rest), select: stored.select },
    read: {
      select,
      ...(order_by && { order_by: sorted }),
      ...(interpolate && { interpolate }),
      ...limitsOf(query),
    },
    added: stored.added,
  };
}

/** WITH FILL makes rows with values of a column that the query shows. */
export function unfilled(item: OrderExpr): Finding {
  return findingPart(rules.clause, 'fill', 'WITH FILL fills gaps of something that the query does not select', item);
}

// GROUP BY ALL would group by the columns that are added, too.
function keysOfAll(query: SelectQuery): Pick<SelectQuery, 'group_by'> | Finding {
  const mixed = query.select.map(valueOf).find((value) => holdsAggregate([value], query) && hasBareColumn(value));
  if (mixed)
    return findingPart(
      rules.clause,
      'all',
      'the query is sorted by something that it does not select, and GROUP BY ALL groups by columns beside an aggregate; name the keys',
      mixed,
    );
  const keys = groupKeys(query);
  return keys.length > 0 ? { group_by: keys } : {};
}

function hasBareColumn(value: Expression): boolean {
  return hasNode(
    [value],
    ({ node }) => node === 'Field',
    (node) => isNoQuery(node) && !isAggregate(node),
  );
}
