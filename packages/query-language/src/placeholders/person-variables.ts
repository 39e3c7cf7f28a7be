import { placeholderChain } from './placeholders.ts';
import { parseRequest } from '../parse.ts';
import { childNodes } from '../tree/tree-nodes.ts';
import type { TreeNode } from '../tree/expressions.ts';

/** Columns and properties whose value is one person's, or leads to one: `user_id` stands for `userId` and `$user_id` too. */
const personNames: ReadonlySet<string> = new Set(
  [
    'distinct_id anon_distinct_id person_id user_id user_uuid user customer_id member_id device_id session_id',
    'email email_address user_email mail phone phone_number username user_name ip',
  ].flatMap((names) => names.split(' ').map(lettersOf)),
);

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[^a-z]/g, '');
}

/** Functions that compare as operators do. */
const comparing: ReadonlySet<string> = new Set(
  'equals notEquals in notIn has like ilike startsWith endsWith match position'.split(' '),
);

/**
 * Names of the variables that select a person: those that are compared with an id of persons or sessions, with something of `person`, or with a
 * property that is named like an id of users, a mail address, a phone number or an IP address. A guess, not a proof. Throws `QueryError`: the text is no statement.
 */
export function personVariables(text: string): string[] {
  // Each node after the one that it stands in, and looked at twice, however many comparisons are around it.
  const found: Found[] = [{ node: parseRequest(text).tree, around: undefined, namesPerson: false, isCompared: false }];
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

/** A node, its parent, and whether it is inside a comparison with a person. */
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
  if (node.node === 'ArrayAccess') return node.property.node === 'Constant' && isPersonName(node.property.value);
  return node.node === 'Field' && node.chain.some((part, at) => part === 'person' || isOwn(node.chain, at));
}

const isOwn = (chain: readonly string[], at: number): boolean => at === chain.length - 1 && isPersonName(chain[at]);

const isPersonName = (name: unknown): boolean => personNames.has(lettersOf(String(name)));
