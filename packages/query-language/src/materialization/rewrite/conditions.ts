import { findPlaceholders } from '../../placeholders/placeholders.ts';
import { operatorCall } from '../../resolve/expressions/operator-calls.ts';
import { childNodes, isBare } from '../../tree/tree-nodes.ts';
import type { Expression, TreeNode } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';

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

/** The conditions that AND joins, those in brackets too. */
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

/** Names of the variables in a tree, each once. */
export function variablesIn(tree: TreeNode): string[] {
  const names = findPlaceholders(tree).flatMap(({ chain: [kind, ...name] }) =>
    kind === 'variables' ? name.join('.') : [],
  );
  return [...new Set(names)];
}

/** Are there variables in it? */
export function hasVariable(tree: TreeNode): boolean {
  return variablesIn(tree).length > 0;
}

/** Is one of the nodes like this? Placeholders are not looked into: the name inside one is no field. */
export function someNode(tree: TreeNode, test: (node: TreeNode) => boolean): boolean {
  const open = [tree];
  for (let node = open.pop(); node; node = open.pop()) {
    if (test(node)) return true;
    if (node.node !== 'Placeholder') open.push(...childNodes(node));
  }
  return false;
}

/** The SELECT with each condition of WHERE and HAVING that has a variable in the place of what `rewrite` makes of it. */
export function inConditions(query: SelectQuery, rewrite: (conjunct: Expression) => Expression): SelectQuery {
  const { where, having, ...rest } = query;
  const [newWhere, newHaving] = [where, having].map((condition) => rewritten(condition, rewrite));
  if (newWhere === where && newHaving === having) return query;
  return { ...rest, ...(newWhere ? { where: newWhere } : {}), ...(newHaving ? { having: newHaving } : {}) };
}

function rewritten(
  condition: Expression | undefined,
  rewrite: (conjunct: Expression) => Expression,
): Expression | undefined {
  const before = conjunctsOf(condition);
  const after = before.map((conjunct) => (hasVariable(conjunct) ? rewrite(conjunct) : conjunct));
  return after.every((conjunct, at) => conjunct === before[at]) ? condition : allOf(after.flatMap(conjunctsOf));
}
