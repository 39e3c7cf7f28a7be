import { childNodes } from '../tree/tree-nodes.ts';
import type { Expression, TreeNode } from '../tree/expressions.ts';

/** Reason why nodes of a kind are refused; undefined: this one is allowed. */
type Reason<Node extends TreeNode> = string | ((node: Node) => string | undefined);

/** Kinds of nodes that cannot stand in an expression. */
export type RefusedNodes = { readonly [Kind in TreeNode['node']]?: Reason<Extract<TreeNode, { node: Kind }>> };

/** Kinds that no expression has which becomes a part of another statement. */
const refusedAnywhere: RefusedNodes = {
  // It would be a name for the rest of the statement, in which such names as timestamp have a meaning.
  Alias: 'an alias is not allowed; write the expression alone',
  WindowFunction: 'a window function is not allowed',
  Placeholder: ({ expr }) =>
    `it has no variables${expr.node === 'Field' ? `, such as {${expr.chain.join('.')}}` : ''}; write the value`,
};

/**
 * Why an expression cannot become a part of a statement: the reason of a node that is refused anywhere, or by `refused`; undefined: there is
 * none. Nodes of a sub-query are its own, and are not looked at. Pure.
 */
export function refusalIn(expression: Expression, refused: RefusedNodes): string | undefined {
  const reasons: RefusedNodes = { ...refusedAnywhere, ...refused };
  const open: TreeNode[] = [expression];
  for (let node = open.pop(); node; node = open.pop()) {
    const reason = reasons[node.node] as Reason<TreeNode> | undefined;
    const words = typeof reason === 'function' ? reason(node) : reason;
    if (words !== undefined) return words;
    if (node.node !== 'SelectQuery' && node.node !== 'SelectSetQuery') open.push(...childNodes(node));
  }
  return undefined;
}
