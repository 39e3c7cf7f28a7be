import { placeholderChain } from './placeholders.ts';
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
  // Each node behind the one that it stands in, and looked at twice, however many comparisons are around it.
  const found: Found[] = [{ node: parseSelect(text), around: undefined, namesPerson: false, isCompared: false }];
  for (const around of found)
    if (around.node.node !== 'Placeholder')
      for (const node of childNodes(around.node)) found.push({ node, around, namesPerson: false, isCompared: false });
  for (const one of found.toReversed()) {
    one.namesPerson ||= isPerson(one.node);
    if (one.namesPerson && one.around) one.around.namesPerson = true;
  }
  const names = new Set<string>();
  for (const one of found) {
    one.isCompared = one.around?.isCompared === true || (one.namesPerson && compares(one.node));
    const chain = one.isCompared && one.node.node === 'Placeholder' ? placeholderChain(one.node) : [];
    if (chain[0] === 'variables' && chain.length > 1) names.add(chain.slice(1).join('.'));
  }
  return [...names].sort();
}

/** A node, the one that it stands in, and where it is: inside a comparison with a person? */
interface Found {
  node: TreeNode;
  around: Found | undefined;
  namesPerson: boolean;
  isCompared: boolean;
}

function compares(node: TreeNode): boolean {
  if (node.node === 'Call') return comparing.has(node.name);
  return node.node === 'CompareOperation' || node.node === 'BetweenExpr' || node.node === 'IsDistinctFrom';
}

function isPerson(node: TreeNode): boolean {
  return node.node === 'Field' && node.chain.some((part, at) => part === 'person' || isOwn(node.chain, at));
}

const isOwn = (chain: readonly string[], at: number): boolean =>
  at === chain.length - 1 && personColumns.has(String(chain[at]));
