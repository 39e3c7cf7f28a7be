import type { CompareOperator, Expression } from '../../tree/expressions.ts';
import { asOperator, hasVariable, joined } from '../selects/tree-conditions.ts';
import { someNode } from '../selects/walk.ts';
import { inConditions } from './conditions.ts';
import type { RewriteRule } from './rewrite-rule.ts';

/** Operators whose opposite is true exactly where they are false, of NULL too. `=` and `!=` are not: both are false of two NULLs. */
const opposites: Partial<Record<CompareOperator, CompareOperator>> = {
  like: 'not like',
  'not like': 'like',
  ilike: 'not ilike',
  'not ilike': 'ilike',
};

/** De Morgan: NOT goes inside brackets that hold a variable. */
export const negations: RewriteRule = {
  name: 'negations',
  explanation:
    'NOT before a bracket was moved inside: NOT (a OR b) is NOT a AND NOT b, and NOT (a NOT LIKE b) is a LIKE b.',
  rewrite: (query) =>
    inConditions(query, (conjunct) => {
      const negation = asOperator(conjunct);
      if (negation.node !== 'Not') return conjunct;
      const inside = opposite(negation.expr);
      const isNegated = (part: Expression): boolean => part.node === 'Not' && hasVariable(part);
      // NOT around an alternative is no easier to read from a table than NOT around the whole.
      const isIdle = inside.node === 'Not' || (inside.node === 'Or' && inside.exprs.some(isNegated));
      return isIdle ? conjunct : inside;
    }),
};

// Where NOT cannot go inside, it stays.
function opposite(condition: Expression): Expression {
  const expr = asOperator(condition);
  const { start, end } = expr;
  if (expr.node === 'Not') return expr.expr;
  if (expr.node === 'And' || expr.node === 'Or')
    return joined(expr.node === 'And' ? 'Or' : 'And', expr.exprs.map(opposite), expr);
  if (expr.node === 'BetweenExpr') return { ...expr, negated: !expr.negated };
  if (expr.node !== 'CompareOperation') return { node: 'Not', expr: condition, start, end };
  const op = isTestOfVariable(expr) ? (expr.op === '==' ? '!=' : '==') : opposites[expr.op];
  return op ? { ...expr, op } : { node: 'Not', expr: condition, start, end };
}

// `IS NULL`, or a comparison of a variable alone with a text or a number: never of two NULLs.
function isTestOfVariable(expr: Extract<Expression, { node: 'CompareOperation' }>): boolean {
  if (expr.op !== '==' && expr.op !== '!=') return false;
  if (expr.is_null_comparison_style) return true;
  const sides = [expr.left, expr.right];
  const isOpen = someNode(expr, ({ node }) => node === 'Field' || node === 'SelectQuery' || node === 'SelectSetQuery');
  return !isOpen && sides.some((side) => side.node === 'Constant' && side.value !== null);
}
