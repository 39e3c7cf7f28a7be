import { power } from '../parse/powers.ts';
import type { Expression } from '../tree/expressions.ts';
import { writeName } from './write-names.ts';
import { isStatement, loose, whole, type Writing, type Written } from './written.ts';

type Node<Name extends Expression['node']> = Extract<Expression, { node: Name }>;

const arithmetic = {
  '+': power.add,
  '-': power.add,
  '*': power.multiply,
  '/': power.multiply,
  '%': power.multiply,
} as const;

/** An operator between operands that groups from the left. */
export function between(
  left: Expression,
  sign: string,
  right: Expression,
  tightness: number,
  writing: Writing,
): Written {
  const text = `${writing.operand(left, tightness)} ${sign} ${writing.operand(right, tightness + 1)}`;
  return { text, power: tightness };
}

/** AND and OR. Of one condition it is that condition, of none what the engine makes of none. */
export function writeLogic({ node, exprs }: Node<'And' | 'Or'>, writing: Writing): Written {
  const [only] = exprs;
  if (!only) return { text: String(node === 'And'), power: whole };
  if (exprs.length === 1) return writing.node(only);
  const tightness = node === 'And' ? power.and : power.or;
  const text = exprs.map((part) => writing.operand(part, tightness)).join(` ${node.toUpperCase()} `);
  return { text, power: tightness };
}

/** NOT. Before a bracket it is read as a call, to which the bracket belongs. */
export function writeNot({ expr }: Node<'Not'>, writing: Writing): Written {
  const inner = writing.node(expr);
  return inner.power < power.not || inner.text.startsWith('(')
    ? { text: `NOT (${inner.text})`, power: whole }
    : { text: `NOT ${inner.text}`, power: power.not };
}

/** Calculations. Zero less something is the sign before it. */
export function writeArithmetic({ left, op, right }: Node<'ArithmeticOperation'>, writing: Writing): Written {
  if (op !== '-' || left.node !== 'Constant' || left.value !== 0)
    return between(left, op, right, arithmetic[op], writing);
  const text = writing.operand(right, power.minus + 1);
  // Before digits the sign is a part of the number.
  const isApart = /^(?:[\d.-]|inf|nan)/i.test(text);
  return { text: isApart ? `-(${text})` : `-${text}`, power: power.minus };
}

/** Comparisons, `IS NULL` among them. */
export function writeComparison(expr: Node<'CompareOperation'>, writing: Writing): Written {
  const { left, op, right } = expr;
  if (expr.is_null_comparison_style) {
    const text = `${writing.operand(left, power.compare)} IS ${op === '!=' ? 'NOT ' : ''}NULL`;
    return { text, power: power.compare };
  }
  if (op !== 'in' && op !== 'not in')
    return between(left, op === '==' ? '=' : op.toUpperCase(), right, power.compare, writing);
  const text = `${writing.operand(left, power.compare)} ${op.toUpperCase()} ${writeSet(right, writing)}`;
  return { text, power: power.compare };
}

// Brackets around one member leave no node. Without them `cohort` would be the word of IN COHORT.
function writeSet(right: Expression, writing: Writing): string {
  const text = writing.operand(right, power.compare + 1);
  const isBare = text.startsWith('(') || isStatement(right);
  return !isBare && (right.node === 'Constant' || right.node === 'Placeholder' || /^cohort\b/i.test(text))
    ? `(${text})`
    : text;
}

/** `BETWEEN low AND high`. */
export function writeBetween({ expr, low, high, negated }: Node<'BetweenExpr'>, writing: Writing): Written {
  const value = writing.operand(expr, power.between);
  const [from, to] = [low, high].map((end) => writing.operand(end, power.between + 1));
  return { text: `${value} ${negated ? 'NOT ' : ''}BETWEEN ${from} AND ${to}`, power: power.between };
}

/** `IS DISTINCT FROM`. */
export function writeDistinct({ left, right, negated }: Node<'IsDistinctFrom'>, writing: Writing): Written {
  return between(left, `IS ${negated ? 'NOT ' : ''}DISTINCT FROM`, right, power.distinct, writing);
}

/** An expression with a name. */
export function writeAlias({ alias, expr }: Pick<Node<'Alias'>, 'alias' | 'expr'>, writing: Writing): Written {
  // A lambda would take the name for a part of it.
  const value = expr.node === 'Lambda' ? writing.operand(expr, power.ternary) : writing.expression(expr);
  return { text: `${value} AS ${writeName(alias)}`, power: loose };
}
