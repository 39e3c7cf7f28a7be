import { placeholderChain } from '../../placeholders/placeholders.ts';
import { operatorCall } from '../../resolve/expressions/operator-calls.ts';
import type { Expression, Placeholder, TreeNode } from '../../tree/expressions.ts';
import { isBare } from '../../tree/tree-nodes.ts';
import type { JoinExpr } from '../../tree/statements.ts';
import { nodesOf } from './walk.ts';

const operators =
  /^(?:equals|notequals|like|notlike|ilike|notilike|in|notin|less|lessorequals|greater|greaterorequals)$/i;

/** NOT, AND, OR and comparisons that are written as calls, `not(x)`, as the operators that they are. */
export function asOperator(expr: Expression): Expression {
  if (expr.node !== 'Call' || !isBare(expr)) return expr;
  const { args, start, end } = expr;
  const [first] = args;
  if (/^not$/i.test(expr.name)) return first && args.length === 1 ? { node: 'Not', expr: first, start, end } : expr;
  const isOperator = (/^(?:and|or)$/i.test(expr.name) && first) || (operators.test(expr.name) && args.length === 2);
  return isOperator ? operatorCall(expr) : expr;
}

/** The conditions that AND joins, those in brackets and in `and(…)` too. */
export function conjunctsOf(condition: Expression | undefined): Expression[] {
  if (!condition) return [];
  const operator = asOperator(condition);
  return operator.node === 'And' ? operator.exprs.flatMap(conjunctsOf) : [condition];
}

/** Conditions joined with AND. Undefined for none. */
export function allOf(conjuncts: readonly Expression[]): Expression | undefined {
  const [first] = conjuncts;
  return first && joined('And', conjuncts, first);
}

/** Conditions joined with AND or OR, at the position of `at`. */
export function joined(node: 'And' | 'Or', exprs: readonly Expression[], { start, end }: Expression): Expression {
  const [only] = exprs;
  return only && exprs.length === 1 ? only : { node, exprs: [...exprs], start, end };
}

/** The name of the variable that a node stands for; undefined for other nodes and other placeholders. */
export function variableOf(node: TreeNode): string | undefined {
  if (node.node !== 'Placeholder') return undefined;
  const [first, ...rest] = placeholderChain(node);
  return first === 'variables' ? rest.join('.') : undefined;
}

/** The places of variables in a tree, sub-queries included. */
export function variablesIn(tree: TreeNode): Placeholder[] {
  return [...nodesOf(tree)].filter((node): node is Placeholder => variableOf(node) !== undefined);
}

/** Names of the variables in a tree, each once. */
export function variableNames(tree: TreeNode): string[] {
  return [...new Set(variablesIn(tree).map((node) => variableOf(node) ?? ''))];
}

/** Are there variables in it? */
export function hasVariable(tree: TreeNode): boolean {
  return variablesIn(tree).length > 0;
}

/** The tables of a FROM, one behind the other. */
export function joinsOf(from: JoinExpr | undefined): JoinExpr[] {
  const joins: JoinExpr[] = [];
  for (let join = from; join; join = join.next_join) joins.push(join);
  return joins;
}
