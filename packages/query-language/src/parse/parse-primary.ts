import { SpanError } from '../query-error.ts';
import type { Constant, Dict, Expression, Field, Placeholder } from '../tree/expressions.ts';
import type { Cursor } from './cursor.ts';
import type { Token } from './lexer.ts';
import { numberValue } from './literals.ts';
import { parseCall, parseCast } from './parse-call.ts';
import { parseCase, parseInterval, parseTimeLiteral, parseWordedCall, startsInterval } from './parse-forms.ts';
import type { ExpressionGrammar } from './parse-expression.ts';
import { parseParenthesis } from './parse-parenthesis.ts';
import { parseColumnsCall, parseStar, startsColumns } from './parse-star.ts';
import { refusePrefixedText } from './foreign/foreign-operators.ts';
import { refuseDoubleBraces, refuseForeignVariable } from './foreign/foreign-variables.ts';
import { parseTemplate } from './parse-template.ts';
import { reservedAsColumn, reservedAsFunction } from './words.ts';

/** Parses what an expression can begin with: literals, names, calls, brackets and the forms of words (CASE, CAST, INTERVAL). */
export function parsePrimary(cursor: Cursor, grammar: ExpressionGrammar): Expression {
  const token = cursor.peek();
  if (token.kind === 'string') {
    cursor.next();
    return { node: 'Constant', value: token.text, start: token.start, end: token.end };
  }
  if (token.kind === 'number') return number(cursor.next(), '', token.start);
  if (token.kind === 'name') return parseNamed(cursor, token, grammar);
  if (token.kind === 'word') return parseWord(cursor, token, grammar);
  if (token.kind === 'sign') return parseSign(cursor, token, grammar);
  if (token.kind === 'template') return parseTemplate(cursor, grammar);
  throw cursor.unexpected('an expression');
}

function parseSign(cursor: Cursor, token: Token, grammar: ExpressionGrammar): Expression {
  if (token.text === '(') return parseParenthesis(cursor, grammar);
  if (token.text === '[') return parseArray(cursor, grammar);
  if (token.text === '{') return parseBraces(cursor, grammar);
  if (token.text === '*') {
    cursor.next();
    return parseStar(cursor, { node: 'Field', chain: ['*'], start: token.start, end: token.end }, grammar);
  }
  if (token.text === '-' || token.text === '+') {
    cursor.next();
    if (cursor.peek().kind === 'number') return number(cursor.next(), token.text, token.start);
    if (cursor.isWord('inf') || cursor.isWord('nan')) throw notFinite(cursor);
  }
  refuseForeignVariable(cursor, token);
  throw cursor.unexpected('an expression');
}

function number(token: Token, sign: string, start: number): Constant {
  const magnitude = numberValue(token.text);
  const span = { start, end: token.end };
  if (magnitude === Infinity) throw new SpanError('invalid_value', `${token.text} is too large for a number`, span);
  if (typeof magnitude === 'string')
    return { node: 'Constant', value: sign === '-' ? `-${magnitude}` : magnitude, value_type: 'number', ...span };
  return { node: 'Constant', value: sign === '-' && magnitude !== 0 ? -magnitude : magnitude, ...span };
}

const constants: ReadonlyMap<string, null | boolean> = new Map([
  ['null', null],
  ['true', true],
  ['false', false],
]);

function parseWord(cursor: Cursor, token: Token, grammar: ExpressionGrammar): Expression {
  const word = token.text.toLowerCase();
  const constant = constants.get(word);
  if (constant !== undefined && !cursor.isSign('(', 1)) {
    cursor.next();
    return { node: 'Constant', value: constant, start: token.start, end: token.end };
  }
  if (startsLambda(cursor)) return parseLambda(cursor, grammar);
  if (word === 'case' && !cursor.isSign('(', 1) && !cursor.isSign('.', 1)) return parseCase(cursor, grammar);
  if ((word === 'cast' || word === 'try_cast') && cursor.isSign('(', 1)) return parseCast(cursor, grammar);
  if (word === 'interval' && startsInterval(cursor)) return parseInterval(cursor, grammar);
  if ((word === 'date' || word === 'timestamp') && cursor.peek(1).kind === 'string') return parseTimeLiteral(cursor);
  const worded = cursor.isSign('(', 1) ? parseWordedCall(cursor, grammar) : undefined;
  if (worded) return worded;
  if ((word === 'inf' || word === 'nan' || word === 'infinity') && !cursor.isSign('(', 1)) throw notFinite(cursor);
  const reserved = cursor.isSign('(', 1) ? reservedAsFunction : reservedAsColumn;
  if (reserved.has(word)) throw cursor.unexpected('an expression');
  refusePrefixedText(cursor, token);
  if (startsColumns(cursor)) return parseColumnsCall(cursor, [cursor.next().text], token.start, grammar);
  return parseNamed(cursor, token, grammar);
}

function notFinite(cursor: Cursor): Error {
  return cursor.notSupported('A number that is not finite');
}

function parseNamed(cursor: Cursor, token: Token, grammar: ExpressionGrammar): Expression {
  if (startsLambda(cursor)) return parseLambda(cursor, grammar);
  if (cursor.isSign('(', 1)) return parseCall(cursor, grammar);
  cursor.next();
  const chain = [token.text];
  while (cursor.isSign('.') && chain[chain.length - 1] !== '*') {
    const part = cursor.peek(1);
    if (part.kind !== 'word' && part.kind !== 'name' && !cursor.isSign('*', 1)) break;
    cursor.next();
    chain.push(part.text);
    const columns = startsColumns(cursor);
    cursor.next();
    if (columns) return parseColumnsCall(cursor, chain, token.start, grammar);
  }
  const field: Field = {
    node: 'Field',
    chain,
    ...(cursor.text[token.start] === '"' ? { quoted: true } : {}),
    start: token.start,
    end: cursor.lastEnd,
  };
  return chain[chain.length - 1] === '*' ? parseStar(cursor, field, grammar) : field;
}

// Where no lambda can be meant, a text or a number after the arrow names a part of a JSON value: `properties->'plan'`.
function startsLambda(cursor: Cursor): boolean {
  if (!cursor.isSign('->', 1)) return false;
  const { kind } = cursor.peek(2);
  return (kind !== 'string' && kind !== 'number') || cursor.lambdaAt === cursor.place;
}

function parseLambda(cursor: Cursor, grammar: ExpressionGrammar): Expression {
  const { text, start } = cursor.next();
  cursor.expectSign('->');
  const expr = grammar.expression(cursor);
  return { node: 'Lambda', args: [text], expr, start, end: expr.end };
}

function parseArray(cursor: Cursor, grammar: ExpressionGrammar): Expression {
  const { start } = cursor.expectSign('[');
  const exprs: Expression[] = [];
  while (!cursor.isSign(']')) {
    exprs.push(grammar.expression(cursor));
    if (!cursor.takeSign(',')) break;
  }
  const { end } = cursor.expectSign(']');
  return { node: 'Array', exprs, start, end };
}

/** Parses `{name}`, and `{'key': value}`. */
export function parseBraces(cursor: Cursor, grammar: ExpressionGrammar): Placeholder | Dict {
  const { start } = cursor.expectSign('{');
  if (cursor.takeSign('}')) return { node: 'Dict', items: [], start, end: cursor.lastEnd };
  const expr = grammar.expression(cursor);
  if (expr.node === 'Placeholder') refuseDoubleBraces(cursor, expr);
  if (cursor.takeSign(':')) return parseDict(cursor, expr, start, grammar);
  const { end } = cursor.expectSign('}');
  return { node: 'Placeholder', expr, start, end };
}

function parseDict(cursor: Cursor, first: Expression, start: number, grammar: ExpressionGrammar): Dict {
  const items: Dict['items'] = [[first, grammar.expression(cursor)]];
  while (cursor.takeSign(',') && !cursor.isSign('}')) {
    const key = grammar.expression(cursor);
    cursor.expectSign(':');
    items.push([key, grammar.expression(cursor)]);
  }
  const { end } = cursor.expectSign('}');
  return { node: 'Dict', items, start, end };
}
