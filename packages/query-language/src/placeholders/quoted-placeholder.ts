import type { Span } from '../query-error.ts';
import type { TreeNode } from '../tree/expressions.ts';
import { childNodes } from '../tree/tree-nodes.ts';
import { warn } from '../warnings.ts';

const searchedMax = 1_000;
const pattern = /\{\s*(variables\.\w+|filters)\s*\}/;

interface Quoted {
  /** As in `variables.plan`. */
  chain: string;
  /** A sentence without its full stop: what to write instead. */
  advice: string;
}

/** Literals of a tree that hold a placeholder. */
export function quotedPlaceholders(tree: TreeNode): (Quoted & { position: Span })[] {
  const found: (Quoted & { position: Span })[] = [];
  const open: TreeNode[] = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    const quoted = node.node === 'Constant' && typeof node.value === 'string' ? quotedIn(node.value) : undefined;
    if (quoted) found.push({ ...quoted, position: { start: node.start, end: node.end } });
    else open.push(...childNodes(node));
  }
  return found;
}

function quotedIn(text: string): Quoted | undefined {
  const [written, chain] = text.length <= searchedMax && text.includes('{') ? (pattern.exec(text) ?? []) : [];
  if (written === undefined || chain === undefined) return undefined;
  const advice =
    written === text.trim() || chain === 'filters'
      ? `Write {${chain}} without quotes`
      : `Write concat('…', {${chain}}, '…'), with {${chain}} outside of the quotes`;
  return { chain, advice };
}

/** Warns of a literal that holds a placeholder. */
export function warnOfQuotedPlaceholder(text: string, { start, end }: Span): void {
  // Values of filters are no literals of the text: their span is that of {filters}.
  if (end - start < text.length + 2) return;
  const found = quotedIn(text);
  if (found) warn('quoted_placeholder', `{${found.chain}} in quotes is a text. ${found.advice}`, { start, end });
}
