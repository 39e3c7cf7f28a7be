import { impliedName } from '../../resolve/columns/implied-name.ts';
import type { Alias, Expression, TreeNode } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import { innerAliases } from '../../resolve/names/resolve-alias.ts';
import { isAggregate } from './aggregates.ts';
import { hasNode, isNoQuery, nodesOf } from './walk.ts';

/** Does a SELECT make groups of rows? `global`: one row of all of them, also where there are none. */
export type Grouping = 'none' | 'keys' | 'global';

export function groupingOf(query: SelectQuery): Grouping {
  if (query.group_by_mode === 'all') return groupKeys(query).length > 0 ? 'keys' : 'global';
  if (query.group_by && query.group_by.length > 0) return 'keys';
  const behind = [...query.select, ...(query.having ? [query.having] : []), ...(query.order_by ?? [])];
  return holdsAggregate(behind, query) ? 'global' : 'none';
}

/** Keys of GROUP BY; aliases and places as the expressions that they stand for. */
export function groupKeys(query: SelectQuery): Expression[] {
  if (query.group_by_mode === 'all')
    return query.select.map(valueOf).filter((expr) => expr.node !== 'Constant' && !holdsAggregate([expr], query));
  return (query.group_by ?? []).flatMap((key) => (key.node === 'GroupingSet' ? [] : [meantBy(key, query)]));
}

/** An alias or a place of the SELECT list as the expression that it stands for. */
export function meantBy(expr: Expression, query: SelectQuery): Expression {
  if (expr.node === 'Constant' && typeof expr.value === 'number') {
    const column = query.select[expr.value - 1];
    return column ? valueOf(column) : expr;
  }
  return (expr.node === 'Field' && expr.chain.length === 1 && aliasIn(query, expr.chain[0])?.expr) || expr;
}

/**
 * Is there an aggregate in one of these parts of a SELECT, sub-queries left out? Names of its SELECT list and of its WITH are followed to what
 * they stand for.
 */
export function holdsAggregate(parts: readonly TreeNode[], query: SelectQuery): boolean {
  const open = [...parts];
  const seen = new Set<string>();
  let inner: ReadonlyMap<string, Alias> | undefined;
  for (let part = open.pop(); part; part = open.pop())
    for (const node of nodesOf(part, isNoQuery)) {
      if (isAggregate(node)) return true;
      const [name] = node.node === 'Field' ? node.chain : [];
      if (name === undefined || seen.has(name)) continue;
      seen.add(name);
      const alias = aliasIn(query, name) ?? (inner ??= innerAliases(query)).get(name);
      const scalar = query.ctes?.find((cte) => cte.name === name && cte.cte_type === 'column');
      if (alias ?? scalar) open.push((alias ?? scalar)?.expr as Expression);
    }
  return false;
}

/** The column of the SELECT list with this alias. */
export function aliasIn({ select }: SelectQuery, name: string | undefined): Alias | undefined {
  return select.find((item): item is Alias => item.node === 'Alias' && item.alias === name);
}

/** A column of the SELECT list without its alias. */
export function valueOf(column: Expression): Expression {
  return column.node === 'Alias' ? column.expr : column;
}

/** The name of a column of the SELECT list; undefined for a star. */
export function outputName(column: Expression): string | undefined {
  if (isStar(column)) return undefined;
  return column.node === 'Alias' ? column.alias : impliedName(column);
}

export function isStar(column: Expression): boolean {
  return column.node === 'ColumnsExpr' || (column.node === 'Field' && column.chain[column.chain.length - 1] === '*');
}

/** Has it a function of windows? */
export function hasWindow(query: SelectQuery): boolean {
  return hasNode(
    [...query.select, ...(query.order_by ?? []), ...(query.qualify ? [query.qualify] : [])],
    ({ node }) => node === 'WindowFunction',
  );
}

/** Groups of several sizes? */
export function hasDifferingGroups({ group_by_mode: mode }: SelectQuery): boolean {
  return mode !== undefined && mode !== 'all';
}
