import type { Span } from '../query-error.ts';
import { addChildNodes } from '../tree/tree-nodes.ts';
import type { Expression, Placeholder, TreeNode } from '../tree/expressions.ts';

/** One placeholder: `{variables.country}` has the chain `['variables', 'country']`. */
export interface FoundPlaceholder {
  chain: string[];
  position: Span;
}

/** All placeholders of a tree in the order of the text, repeats included. An expression in braces that is no name has an empty chain. */
export function findPlaceholders(tree: TreeNode): FoundPlaceholder[] {
  const found: FoundPlaceholder[] = [];
  const open: TreeNode[] = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.node === 'Placeholder')
      found.push({ chain: placeholderChain(node), position: { start: node.start, end: node.end } });
    else addChildNodes(node, open);
  }
  return found.sort((a, b) => a.position.start - b.position.start);
}

/** The name inside a placeholder, `{variables['x']}` included; empty when it is no name. */
export function placeholderChain(placeholder: Placeholder): string[] {
  return chainOf(placeholder.expr) ?? [];
}

function chainOf(expr: Expression): string[] | undefined {
  if (expr.node === 'Field') return expr.chain;
  if (expr.node !== 'ArrayAccess' || expr.property.node !== 'Constant') return undefined;
  const outer = chainOf(expr.array);
  return outer && typeof expr.property.value === 'string' ? [...outer, expr.property.value] : undefined;
}
