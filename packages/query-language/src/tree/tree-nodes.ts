import type { Call, Expression, TreeNode, WindowExpr } from './expressions.ts';

/** The nodes directly below one, in the order of its keys. */
export function childNodes(node: TreeNode): TreeNode[] {
  const children: TreeNode[] = [];
  addChildNodes(node, children);
  return children;
}

/** Adds the nodes directly below one to a list. */
export function addChildNodes(node: TreeNode, children: TreeNode[]): void {
  for (const key in node) {
    const value = (node as unknown as Record<string, unknown>)[key];
    if (Array.isArray(value)) for (const item of value as unknown[]) addNode(item, children);
    else if (key === 'window_exprs' || key === 'replace')
      children.push(...Object.values(value as Record<string, WindowExpr | Expression>));
    else addNode(value, children);
  }
}

// (The entries of a Dict are pairs.)
function addNode(value: unknown, children: TreeNode[]): void {
  if (Array.isArray(value)) children.push(...(value as TreeNode[]));
  else if (typeof value === 'object' && value !== null && 'node' in value) children.push(value as TreeNode);
}

const placed: ReadonlySet<string> = new Set(['start', 'end', 'written']);

/** Compares two trees, whatever their positions. Takes as long as the smaller of them is large. */
export function isSameTree(one: unknown, other: unknown): boolean {
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return one === other;
  const [own, others] = [one, other].map((part) => Object.keys(part).filter((key) => !placed.has(key))) as [
    string[],
    string[],
  ];
  return (
    own.length === others.length &&
    own.every(
      (key) =>
        Object.hasOwn(other, key) &&
        isSameTree((one as Record<string, unknown>)[key], (other as Record<string, unknown>)[key]),
    )
  );
}

/** Is it a call of arguments alone, with none of the words of an aggregate? */
export function isBare({ params, distinct, filter_expr, order_by, within_group, nulls }: Call): boolean {
  return !params && !distinct && !filter_expr && !order_by && !within_group && !nulls;
}
