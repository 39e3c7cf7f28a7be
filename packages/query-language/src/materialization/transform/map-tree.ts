import type { TreeNode } from '../../tree/expressions.ts';

/** The tree with some nodes replaced. `replace` is asked from the top down and returns undefined to go on below. The tree itself stays as it is. */
export function mapTree<Node extends TreeNode>(node: Node, replace: (node: TreeNode) => TreeNode | undefined): Node {
  const replaced = replace(node);
  if (replaced) return replaced as Node;
  // The name of a placeholder is no column.
  return node.node === 'Placeholder' ? node : (mapChildren(node, replace) as Node);
}

function mapChildren(node: TreeNode, replace: (node: TreeNode) => TreeNode | undefined): TreeNode {
  const entries = Object.entries(node).map(([key, value]) => [key, mapValue(value, replace)]);
  return Object.fromEntries(entries) as TreeNode;
}

// Some nodes hold records of nodes, and a Dict holds pairs of them.
function mapValue(value: unknown, replace: (node: TreeNode) => TreeNode | undefined): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => mapValue(item, replace));
  if (typeof value !== 'object' || value === null) return value;
  if ('node' in value) return mapTree(value as TreeNode, replace);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapValue(item, replace)]));
}
