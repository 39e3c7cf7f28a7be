import { SpanError } from '../../query-error.ts';
import { checkAlias } from '../../resolve/names/scope.ts';
import type { TreeNode } from '../../tree/expressions.ts';
import { nodesOf } from './walk.ts';

/** Names of stored columns that nothing else in a query has. */
export class FreshNames {
  readonly #taken = new Set<string>();

  /** `others` are names that the tree may get. */
  constructor(tree: TreeNode, others: Iterable<string> = []) {
    for (const name of others) this.#taken.add(name);
    for (const node of nodesOf(tree)) for (const name of namesOf(node)) this.#taken.add(name);
  }

  /** The name itself, or with the first number behind it that makes it free. Signs that no alias may have become `_`. */
  make(wanted: string): string {
    const base = wanted.replace(/[^\p{L}\p{N}_$]/gu, '_').slice(0, 60);
    let name = base;
    for (let number = 2; this.#taken.has(name); number += 1) name = `${base}_${number}`;
    this.#taken.add(name);
    return name;
  }
}

function namesOf(node: TreeNode): readonly string[] {
  if (node.node === 'Field') return node.chain;
  if (node.node === 'Alias') return [node.alias];
  if (node.node === 'CTE') return [node.name, ...(node.columns ?? [])];
  if (node.node === 'JoinExpr') return [...(node.alias === undefined ? [] : [node.alias]), ...(node.columns ?? [])];
  return node.node === 'Lambda' ? node.args : [];
}

/** May a query write this name as an alias? */
export function isAlias(name: string): boolean {
  try {
    return checkAlias(name, { start: 0, end: 0 }) === name;
  } catch (error) {
    if (error instanceof SpanError) return false;
    throw error;
  }
}
