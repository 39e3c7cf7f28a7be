import type { TreeNode } from '../../tree/expressions.ts';

const placed: ReadonlySet<string> = new Set(['start', 'end', 'written']);

/** The same text for trees that are the same but for their positions, for look-ups among many. */
export function treeKey(tree: TreeNode): string {
  return JSON.stringify(tree, (name, value: unknown) => (placed.has(name) ? undefined : value));
}
