import type { Cursor } from './cursor.ts';
import type { ExpressionGrammar } from './parse-expression.ts';
import { startsValues } from './parse-values.ts';
import type { Expression } from '../tree/expressions.ts';

/** Parses what begins with `(`: a lambda's arguments, a sub-query, a tuple, or an expression in brackets (which leaves no node). */
export function parseParenthesis(cursor: Cursor, grammar: ExpressionGrammar): Expression {
  const args = lambdaArguments(cursor);
  if (args) return parseLambda(cursor, args, grammar);
  const statement = holdsStatement(cursor);
  if (cursor.lambdaAt === cursor.place) cursor.lambdaAt += 1;
  const { start } = cursor.expectSign('(');
  if (statement) return closeStatement(cursor, start);
  const first = grammar.expression(cursor);
  if (cursor.takeSign(')')) return first;
  return parseTuple(cursor, first, start, grammar);
}

/** Does a SELECT, or VALUES, begin here, brackets before it aside? */
export function startsStatement(cursor: Cursor): boolean {
  let ahead = 0;
  // A sub-query may have brackets of its own: ((SELECT 1)). No real query has more than a few.
  while (cursor.isSign('(', ahead) && ahead < 8) ahead += 1;
  return (
    cursor.isWord('select', ahead) ||
    (cursor.isWord('with', ahead) && !cursor.isSign('(', ahead + 1)) ||
    (ahead > 0 && startsValues(cursor, ahead))
  );
}

/**
 * Does the bracket here hold a SELECT and nothing else? One in brackets of its own may also be a part of an expression
 * or a table of a join: `((SELECT 1) + 1)`. The token after it decides.
 */
export function holdsStatement(cursor: Cursor): boolean {
  if (!cursor.isSign('(') || !startsStatement(cursor)) return false;
  for (let ahead = 1; cursor.isSign('(', ahead); ahead += 1) {
    const { text } = cursor.behindBracket(ahead);
    if (text !== ')') return /^(?:union|intersect|except|limit|offset|order)$/i.test(text);
  }
  return true;
}

function closeStatement(cursor: Cursor, start: number): Expression {
  const statement = cursor.nested(() => cursor.parseStatement(cursor));
  const { end } = cursor.expectSign(')');
  return { ...statement, start, end };
}

function parseTuple(cursor: Cursor, first: Expression, start: number, grammar: ExpressionGrammar): Expression {
  const exprs = [first];
  if (!cursor.isSign(',')) throw cursor.unexpected('")" or ","');
  while (cursor.takeSign(',') && !cursor.isSign(')')) exprs.push(grammar.expression(cursor));
  const { end } = cursor.expectSign(')');
  return { node: 'Tuple', exprs, start, end };
}

// `(x, y) ->`: names only, so the look-ahead stops at the first other token and stays linear.
function lambdaArguments(cursor: Cursor): string[] | undefined {
  const names: string[] = [];
  let ahead = 1;
  while (!cursor.isSign(')', ahead)) {
    const token = cursor.peek(ahead);
    if (token.kind !== 'word' && token.kind !== 'name') return undefined;
    names.push(token.text);
    ahead += 1;
    if (cursor.isSign(',', ahead)) ahead += 1;
    else if (!cursor.isSign(')', ahead)) return undefined;
  }
  return cursor.isSign('->', ahead + 1) ? names : undefined;
}

function parseLambda(cursor: Cursor, args: string[], grammar: ExpressionGrammar): Expression {
  const { start } = cursor.peek();
  while (!cursor.isSign('->')) cursor.next();
  cursor.next();
  const expr = grammar.expression(cursor);
  return { node: 'Lambda', args, expr, start, end: expr.end };
}
