import { innerAliases } from '../../resolve/names/resolve-alias.ts';
import type { Expression, TreeNode } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import { allOf, conjunctsOf } from '../selects/tree-conditions.ts';
import { someNode } from '../selects/walk.ts';

/** Functions that give another value each time, or several. */
const restless = /^(?:rand\w*|generate\w+|arrayjoin|unnest|grouping|rownumberin\w+|blocknumber)$/i;

/** Does a condition mean the same wherever it stands? Not with a sub-query, an alias, a window, or a function that gives another value each time. */
export function isMovable(condition: Expression): boolean {
  return !someNode(condition, isBound);
}

function isBound(node: TreeNode): boolean {
  switch (node.node) {
    case 'SelectQuery':
    case 'SelectSetQuery':
    case 'Alias':
    case 'Lambda':
    case 'WindowFunction':
    case 'ColumnsExpr':
      return true;
    default:
      return node.node === 'Call' && restless.test(node.name);
  }
}

/** Names that a SELECT gives to expressions and to items of arrays: before a column of the same name they are meant. */
export function aliasesOf(query: SelectQuery): Set<string> {
  const listed = [...query.select, ...(query.array_join_list ?? [])].flatMap((item) =>
    item.node === 'Alias' ? [item.alias] : [],
  );
  return new Set([...listed, ...innerAliases(query).keys()]);
}

/** The SELECT with more conditions at the end of WHERE. */
export function withConditions(query: SelectQuery, conditions: readonly Expression[]): SelectQuery {
  const where = allOf([...conjunctsOf(query.where), ...conditions]);
  return where ? { ...query, where } : query;
}
