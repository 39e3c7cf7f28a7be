import type { TreeNode } from '../../tree/expressions.ts';
import { childNodes } from '../../tree/tree-nodes.ts';

/** The nodes of a tree, the tree itself first; what names a placeholder is none. `into` says below which of them to go on. */
export function* nodesOf(tree: TreeNode, into: (node: TreeNode) => boolean = () => true): Generator<TreeNode> {
  const open: TreeNode[] = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    yield node;
    if (node.node !== 'Placeholder' && into(node)) open.push(...childNodes(node).reverse());
  }
}

/** True for everything but a query: what stands in it belongs to that query. */
export function isNoQuery({ node }: TreeNode): boolean {
  return node !== 'SelectQuery' && node !== 'SelectSetQuery';
}

/** Is there such a node in one of these trees? */
export function hasNode(trees: readonly TreeNode[], test: (node: TreeNode) => boolean, into = isNoQuery): boolean {
  return trees.some((tree) => {
    for (const node of nodesOf(tree, into)) if (test(node)) return true;
    return false;
  });
}

/** Is there such a node in this tree, queries in it included? */
export function someNode(tree: TreeNode, test: (node: TreeNode) => boolean): boolean {
  return hasNode([tree], test, () => true);
}
