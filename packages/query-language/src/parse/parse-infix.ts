import type { Cursor } from './cursor.ts';
import type { ExpressionGrammar } from './parse-expression.ts';
import { refuseForeignOperator, refuseKeyTest } from './foreign/foreign-operators.ts';
import { power } from './powers.ts';
import type { ArithmeticOperator, CompareOperator, Expression } from '../tree/expressions.ts';

const arithmetic: Readonly<Record<string, number>> = {
  '+': power.add,
  '-': power.add,
  '*': power.multiply,
  '/': power.multiply,
  '%': power.multiply,
};
const comparisons: Readonly<Record<string, CompareOperator>> = {
  '=': '==',
  '==': '==',
  '!=': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '=~': '=~',
  '~': '=~',
  '!~': '!~',
  '=~*': '=~*',
  '~*': '=~*',
  '!~*': '!~*',
};

/** Takes one operator after `left` if it binds tighter than `minimum`, and returns the wider expression. */
export function parseInfix(
  cursor: Cursor,
  left: Expression,
  minimum: number,
  grammar: ExpressionGrammar,
): Expression | undefined {
  const token = cursor.peek();
  if (token.kind === 'sign') return parseSign(cursor, token.text, left, minimum, grammar);
  if (token.kind === 'word') return parseWord(cursor, token.text.toLowerCase(), left, minimum, grammar);
  return undefined;
}

function parseSign(
  cursor: Cursor,
  sign: string,
  left: Expression,
  minimum: number,
  grammar: ExpressionGrammar,
): Expression | undefined {
  const tightness = arithmetic[sign];
  if (tightness !== undefined) {
    if (tightness <= minimum) return undefined;
    cursor.next();
    const right = grammar.operand(cursor, tightness);
    return {
      node: 'ArithmeticOperation',
      left,
      op: sign as ArithmeticOperator,
      right,
      start: left.start,
      end: right.end,
    };
  }
  const op = comparisons[sign];
  if (op) return minimum < power.compare ? compare(cursor, left, op, 1, grammar) : undefined;
  if (sign === '||' && minimum < power.add) return concatenate(cursor, left, grammar);
  if (sign === '&&' && minimum < power.overlap) return overlap(cursor, left, grammar);
  if (sign === '??' && minimum < power.ifNull) return ifNull(cursor, left, grammar);
  if (sign === '<=>' && minimum < power.distinct) return distinctFrom(cursor, left, 1, true, grammar);
  if (sign === '?' && minimum < power.ternary) return ternary(cursor, left, grammar);
  return undefined;
}

function parseWord(
  cursor: Cursor,
  word: string,
  left: Expression,
  minimum: number,
  grammar: ExpressionGrammar,
): Expression | undefined {
  if (word === 'and') return minimum < power.and ? list(cursor, left, 'And', grammar) : undefined;
  if (word === 'or') return minimum < power.or ? list(cursor, left, 'Or', grammar) : undefined;
  if (word === 'is') return parseIs(cursor, left, minimum, grammar);
  const negated = word === 'not';
  const operator = negated ? cursor.peek(1).text.toLowerCase() : word;
  const taken = negated ? 2 : 1;
  if (negated && cursor.peek(1).kind !== 'word') return undefined;
  if (operator === 'between')
    return minimum < power.between ? between(cursor, left, taken, negated, grammar) : undefined;
  if (minimum >= power.compare) return undefined;
  if (operator === 'like' || operator === 'ilike')
    return compare(cursor, left, negated ? `not ${operator}` : operator, taken, grammar);
  if (operator !== 'in') return refuseForeignOperator(cursor, left, negated);
  const cohort = cursor.isWord('cohort', taken) && !cursor.isSign('.', taken + 1);
  if (cohort) return compare(cursor, left, negated ? 'not in cohort' : 'in cohort', taken + 1, grammar);
  return compare(cursor, left, negated ? 'not in' : 'in', taken, grammar);
}

function skip(cursor: Cursor, count: number): void {
  for (let taken = 0; taken < count; taken += 1) cursor.next();
}

function compare(
  cursor: Cursor,
  left: Expression,
  op: CompareOperator,
  taken: number,
  grammar: ExpressionGrammar,
): Expression {
  skip(cursor, taken);
  const right = grammar.operand(cursor, power.compare);
  return { node: 'CompareOperation', left, op, right, start: left.start, end: right.end };
}

// Calls that `||` made: they take more arguments, others are left as they were written.
const concatenations = new WeakSet<Expression>();

function concatenate(cursor: Cursor, left: Expression, grammar: ExpressionGrammar): Expression {
  cursor.next();
  const right = grammar.operand(cursor, power.add);
  if (left.node === 'Call' && concatenations.has(left)) {
    left.args.push(...texts(right));
    left.end = right.end;
    return left;
  }
  const call: Expression = {
    node: 'Call',
    name: 'concat',
    args: [...texts(left), ...texts(right)],
    start: left.start,
    end: right.end,
  };
  concatenations.add(call);
  return call;
}

// `a || concat(b, c)`, `a || (b || c)` and `a || f'{b}{c}'` are one concat of three, as published.
function texts(operand: Expression): Expression[] {
  return operand.node === 'Call' &&
    operand.name === 'concat' &&
    !operand.distinct &&
    !operand.params &&
    !operand.filter_expr
    ? operand.args
    : [operand];
}

// The name is ours: an argument that does not fit gets another message than in hasAny(a, b).
function overlap(cursor: Cursor, left: Expression, grammar: ExpressionGrammar): Expression {
  cursor.next();
  const right = grammar.operand(cursor, power.overlap);
  return { node: 'Call', name: '_overlap', args: [left, right], start: left.start, end: right.end };
}

function ifNull(cursor: Cursor, left: Expression, grammar: ExpressionGrammar): Expression {
  cursor.next();
  const right = grammar.operand(cursor, power.ifNull);
  return { node: 'Call', name: 'ifNull', args: [left, right], start: left.start, end: right.end };
}

function list(cursor: Cursor, left: Expression, node: 'And' | 'Or', grammar: ExpressionGrammar): Expression {
  const exprs = left.node === node ? left.exprs : [left];
  while (cursor.takeWords(node.toLowerCase())) {
    const right = grammar.operand(cursor, node === 'And' ? power.and : power.or);
    if (right.node === node) exprs.push(...right.exprs);
    else exprs.push(right);
  }
  return { node, exprs, start: left.start, end: cursor.lastEnd };
}

function ternary(cursor: Cursor, condition: Expression, grammar: ExpressionGrammar): Expression {
  cursor.next();
  const then = grammar.expression(cursor);
  refuseKeyTest(cursor, condition, then);
  cursor.expectSign(':');
  const elseValue = grammar.operand(cursor, 0);
  return { node: 'Call', name: 'if', args: [condition, then, elseValue], start: condition.start, end: elseValue.end };
}

function between(
  cursor: Cursor,
  expr: Expression,
  taken: number,
  negated: boolean,
  grammar: ExpressionGrammar,
): Expression {
  skip(cursor, taken);
  const low = grammar.operand(cursor, power.and);
  cursor.expectWord('and');
  const high = grammar.operand(cursor, power.between);
  return { node: 'BetweenExpr', expr, low, high, negated, start: expr.start, end: high.end };
}

function parseIs(
  cursor: Cursor,
  left: Expression,
  minimum: number,
  grammar: ExpressionGrammar,
): Expression | undefined {
  const negated = cursor.isWord('not', 1);
  const at = negated ? 2 : 1;
  if (cursor.isWord('distinct', at)) {
    if (minimum >= power.distinct) return undefined;
    skip(cursor, at);
    return distinctFrom(cursor, left, 1, negated, grammar, true);
  }
  if (minimum >= power.compare) return undefined;
  skip(cursor, at);
  const op = negated ? '!=' : '==';
  const value = cursor.isWord('true');
  if (value || cursor.isWord('false')) {
    const { start, end } = cursor.next();
    return {
      node: 'CompareOperation',
      left,
      op,
      right: { node: 'Constant', value, start, end },
      start: left.start,
      end,
    };
  }
  const { start, end } = cursor.expectWord('null');
  return {
    node: 'CompareOperation',
    left,
    op,
    right: { node: 'Constant', value: null, start, end },
    is_null_comparison_style: true,
    start: left.start,
    end,
  };
}

function distinctFrom(
  cursor: Cursor,
  left: Expression,
  taken: number,
  negated: boolean,
  grammar: ExpressionGrammar,
  withFrom = false,
): Expression {
  skip(cursor, taken);
  if (withFrom) cursor.expectWord('from');
  const right = grammar.operand(cursor, power.distinct);
  return { node: 'IsDistinctFrom', left, right, negated, start: left.start, end: right.end };
}
