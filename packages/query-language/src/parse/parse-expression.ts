import type { Cursor } from './cursor.ts';
import { parseInfix } from './parse-infix.ts';
import { parsePrimary } from './parse-primary.ts';
import { parsePostfix } from './parse-postfix.ts';
import type { Expression } from '../tree/expressions.ts';
import { power } from './powers.ts';

/** Parses an expression with its aliases (`a + 1 AS b`), as in lists, brackets and arguments. */
export function parseExpression(cursor: Cursor): Expression {
  let expr = parseOperand(cursor, 0);
  while (cursor.takeWords('as')) {
    const token = cursor.next();
    if (token.kind !== 'word' && token.kind !== 'name' && token.kind !== 'string')
      throw cursor.unexpected('a name after AS');
    expr = { node: 'Alias', alias: token.text, expr, start: expr.start, end: token.end };
  }
  return expr;
}

/** Parses an operand whose operators bind tighter than `minimum`. No aliases. Operator precedence is in `powers.ts`. */
function parseOperand(cursor: Cursor, minimum: number): Expression {
  return cursor.nested(() => {
    let left = parsePrefix(cursor);
    for (;;) {
      const wider = parseInfix(cursor, left, minimum, grammar);
      if (!wider) return left;
      left = wider;
    }
  });
}

function parsePrefix(cursor: Cursor): Expression {
  const { start } = cursor.peek();
  if (cursor.isWord('not') && !cursor.isSign('(', 1)) {
    cursor.next();
    const expr = parseOperand(cursor, power.not);
    return { node: 'Not', expr, start, end: expr.end };
  }
  if (cursor.isSign('-') && !startsNegativeNumber(cursor)) {
    cursor.next();
    const right = parseOperand(cursor, power.minus);
    return {
      node: 'ArithmeticOperation',
      left: { node: 'Constant', value: 0, start, end: start + 1 },
      op: '-',
      right,
      start,
      end: right.end,
    };
  }
  return parsePostfix(cursor, parsePrimary(cursor, grammar), grammar);
}

function startsNegativeNumber(cursor: Cursor): boolean {
  return cursor.peek(1).kind === 'number' || cursor.isWord('inf', 1) || cursor.isWord('nan', 1);
}

/** The two entry points, handed to the other parts of the expression parser (they would import each other in a ring otherwise). */
export interface ExpressionGrammar {
  expression: (cursor: Cursor) => Expression;
  operand: (cursor: Cursor, minimum: number) => Expression;
}

/** See `ExpressionGrammar`. */
export const grammar: ExpressionGrammar = { expression: parseExpression, operand: parseOperand };
