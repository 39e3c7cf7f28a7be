import { findPlaceholders } from './placeholders.ts';
import { parseSelect } from '../parse.ts';
import { childNodes } from '../tree/tree-nodes.ts';
import type { TreeNode } from '../tree/expressions.ts';

/** Columns whose value is one person's, or leads to one. */
const personColumns: ReadonlySet<string> = new Set(['distinct_id', 'person_id', '$session_id', 'session_id', 'email']);

/** Functions that compare as operators do. */
const comparing: ReadonlySet<string> = new Set(
  'equals notEquals in notIn has like ilike startsWith endsWith match position'.split(' '),
);

/**
 * Names of the variables that select a person: those that are compared with an id of persons or sessions, with
 * something of `person`, or with a mail address. A guess, not a proof. Throws `QueryError`: the text is no statement.
 */
export function personVariables(text: string): string[] {
  const found = new Set<string>();
  const open: TreeNode[] = [parseSelect(text)];
  for (let node = open.pop(); node; node = open.pop()) {
    if (compares(node) && namesPerson(node))
      for (const { chain } of findPlaceholders(node))
        if (chain[0] === 'variables' && chain.length > 1) found.add(chain.slice(1).join('.'));
    open.push(...childNodes(node));
  }
  return [...found].sort();
}

function compares(node: TreeNode): boolean {
  if (node.node === 'Call') return comparing.has(node.name);
  return node.node === 'CompareOperation' || node.node === 'BetweenExpr' || node.node === 'IsDistinctFrom';
}

function namesPerson(comparison: TreeNode): boolean {
  const open: TreeNode[] = [comparison];
  for (let node = open.pop(); node; node = open.pop()) {
    if (node.node === 'Placeholder') continue;
    if (node.node === 'Field' && node.chain.some((part, at) => part === 'person' || isOwn(node.chain, at))) return true;
    open.push(...childNodes(node));
  }
  return false;
}

const isOwn = (chain: readonly string[], at: number): boolean =>
  at === chain.length - 1 && personColumns.has(String(chain[at]));
