import type { Call, CompareOperation, CompareOperator, Expression, TreeNode } from '../../tree/expressions.ts';
import { finding, findingPart, type Finding } from '../rules/finding.ts';
import { rules } from '../rules/rules.ts';
import { isAggregate } from '../selects/aggregates.ts';
import { variableOf, variablesIn } from '../selects/tree-conditions.ts';
import { hasNode, someNode } from '../selects/walk.ts';
import type { Lifted } from './lifted.ts';

/** Reads a condition with a variable in it: a comparison of a column, alone or as an optional filter (contract/endpoints 6.3). */
export function readCondition(condition: Expression): Lifted | Finding {
  if (condition.node === 'Or') return readOptional(condition.exprs, condition);
  if (condition.node !== 'CompareOperation') return nested(condition);
  const read = readComparison(condition, condition);
  return 'rule' in read || read.separator === undefined ? read : unsupported('IN', condition);
}

function nested(condition: Expression): Finding {
  if (someNode(condition, ({ node }) => node === 'Or')) return inOr(condition);
  const stands = `{variables.${nameIn(condition)}}`;
  if (condition.node === 'Placeholder')
    return findingPart(rules.usage, 'alone', `${stands} stands alone in WHERE; compare a column with it`, condition);
  if (condition.node === 'BetweenExpr')
    return findingPart(
      rules.usage,
      'between',
      `${stands} stands in BETWEEN; write two comparisons, with >= and < (a table of times never answers <=)`,
      condition,
    );
  if (condition.node === 'IsDistinctFrom') return unsupported('IS [NOT] DISTINCT FROM', condition);
  return finding(rules.conjunct, `the comparison with ${stands} is not joined to the rest of WHERE by AND`, condition);
}

function inOr(condition: Expression): Finding {
  const name = nameIn(condition);
  return finding(
    rules.or,
    `{variables.${name}} stands in an OR that is not coalesce({variables.${name}}, '') = '' OR a comparison of one column with it`,
    condition,
  );
}

function nameIn(tree: TreeNode): string {
  const [first] = variablesIn(tree);
  return (first && variableOf(first)) ?? '';
}

// `coalesce({v}, '') = '' OR column = {v}`, in either order.
function readOptional(branches: readonly Expression[], condition: Expression): Lifted | Finding {
  const name = nameIn(condition);
  const checks = branches.filter((branch) => isEmptyCheck(branch, name));
  const [other, ...more] = branches.filter((branch) => !isEmptyCheck(branch, name));
  if (checks.length !== 1 || other?.node !== 'CompareOperation' || more.length > 0) return inOr(condition);
  const read = readComparison(other, condition);
  if ('rule' in read) return read;
  return read.variable === name ? { ...read, isOptional: true } : inOr(condition);
}

function isEmptyCheck(branch: Expression, variable: string): boolean {
  if (branch.node !== 'CompareOperation' || branch.op !== '==') return false;
  const sides = [branch.left, branch.right];
  const [filled] = sides.filter((side): side is Call => side.node === 'Call' && /^coalesce$/i.test(side.name));
  const [value, empty, ...rest] = filled?.args ?? [];
  return (
    sides.some(isEmptyText) &&
    value !== undefined &&
    variableOf(value) === variable &&
    empty !== undefined &&
    isEmptyText(empty) &&
    rest.length === 0
  );
}

function isEmptyText(node: TreeNode): boolean {
  return node.node === 'Constant' && node.value === '';
}

const flipped: Partial<Record<CompareOperator, CompareOperator>> = {
  '==': '==',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
};
const supported: ReadonlySet<CompareOperator> = new Set([
  '==',
  '>=',
  '>',
  '<',
  '<=',
  'like',
  'ilike',
  'not like',
  'not ilike',
]);

function unsupported(operator: string, at: Expression): Finding {
  return finding(
    rules.operator,
    `{variables.${nameIn(at)}} is compared by ${operator}; =, >=, >, <, <=, LIKE, ILIKE, NOT LIKE and NOT ILIKE are possible`,
    at,
  );
}

function readComparison(comparison: CompareOperation, condition: Expression): Lifted | Finding {
  const { left, right, op } = comparison;
  const isOnRight = variablesIn(right).length > 0;
  const [subject, value] = isOnRight ? [left, right] : [right, left];
  const used = variablesIn(value);
  const variable = nameIn(value);
  const wrong = (part: keyof typeof rules.usage.parts, why: string): Finding =>
    findingPart(rules.usage, part, `{variables.${variable}} ${why}`, comparison);
  if (variablesIn(subject).length > 0)
    return wrong('variable', 'is compared with a variable; compare a column with it');
  if (comparison.is_null_comparison_style) return wrong('nothing', 'is compared with NULL; compare a column with it');
  const member = isOnRight && op === 'in' ? separatorOf(value) : undefined;
  const applied = isOnRight ? op : flipped[op];
  if (member === undefined && (applied === undefined || !supported.has(applied)))
    return unsupported(op === '==' ? '=' : op.toUpperCase(), comparison);
  if (used.length > 1) return wrong('beside', 'stands beside another variable on one side of a comparison');
  if (value.node !== 'Placeholder' && !isValue(value))
    return wrong(
      'value',
      'stands in an expression with columns, aggregates or sub-queries; compare a column with a function of it',
    );
  if (!isColumn(subject)) return wrong('subject', 'is not compared with a column, or a function of columns');
  return {
    variable,
    condition,
    comparison,
    subject,
    value,
    op: member === undefined ? (applied as CompareOperator) : 'in',
    isOptional: false,
    ...(member !== undefined && { separator: member }),
  };
}

// `splitByChar(',', {v})`.
function separatorOf(value: Expression): string | undefined {
  if (value.node !== 'Call' || !/^splitbychar$/i.test(value.name)) return undefined;
  const [separator, list, ...rest] = value.args;
  if (separator?.node !== 'Constant' || typeof separator.value !== 'string') return undefined;
  return rest.length === 0 && list && variableOf(list) !== undefined ? separator.value : undefined;
}

const outside: ReadonlySet<TreeNode['node']> = new Set([
  'Field',
  'SelectQuery',
  'SelectSetQuery',
  'WindowFunction',
  'Alias',
]);

// Nothing in it is of a row, so that the read can compute it.
function isValue(value: Expression): boolean {
  return !someNode(value, (node) => outside.has(node.node) || isAggregate(node));
}

const noColumn: ReadonlySet<TreeNode['node']> = new Set(['SelectQuery', 'SelectSetQuery', 'WindowFunction', 'Alias']);

function isColumn(subject: Expression | { node: 'SelectQuery' | 'SelectSetQuery' }): subject is Expression {
  const tree = subject as Expression;
  return (
    hasNode([tree], ({ node }) => node === 'Field') &&
    !someNode(tree, (node) => noColumn.has(node.node) || isAggregate(node) || isUnfolding(node))
  );
}

// It makes several rows of one.
function isUnfolding(node: TreeNode): boolean {
  return node.node === 'Call' && /^(?:arrayjoin|unnest)$/i.test(node.name);
}
