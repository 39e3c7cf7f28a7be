import type { Cursor } from './cursor.ts';
import type { ExpressionGrammar } from './parse-expression.ts';
import { parseTypeName } from './parse-type-name.ts';
import type { Expression } from '../tree/expressions.ts';

/** Takes the accesses and casts after `operand`: `.name`, `.1`, `[…]`, `?.`, `::type`. They bind tighter than every operator. */
export function parsePostfix(cursor: Cursor, operand: Expression, grammar: ExpressionGrammar): Expression {
  let expr = operand;
  for (;;) {
    const wider = parseOne(cursor, expr, grammar);
    if (!wider) return expr;
    expr = wider;
  }
}

function parseOne(cursor: Cursor, expr: Expression, grammar: ExpressionGrammar): Expression | undefined {
  if (cursor.takeSign('.')) return parseMember(cursor, expr, false);
  if (cursor.takeSign('?.'))
    return cursor.isSign('[') ? parseElement(cursor, expr, grammar) : parseMember(cursor, expr, true);
  if (cursor.isSign('[')) return parseElementOrSlice(cursor, expr, grammar);
  if (cursor.takeSign('::')) {
    const type_name = parseTypeName(cursor);
    return { node: 'TypeCast', expr, type_name, start: expr.start, end: cursor.lastEnd };
  }
  if (cursor.isSign('(')) throw cursor.notSupported('Calling the result of an expression');
  return undefined;
}

function parseMember(cursor: Cursor, expr: Expression, nullish: boolean): Expression {
  const fromEnd = cursor.takeSign('-');
  const token = cursor.next();
  const more = nullish ? { nullish: true as const } : {};
  const isIndex = token.kind === 'number' && /^\d+$/.test(token.text);
  if (fromEnd && !isIndex) throw cursor.notSupported(`"-${token.text}" after a dot`, token);
  if (fromEnd)
    return {
      node: 'ArrayAccess',
      array: expr,
      property: { node: 'Constant', value: -Number(token.text), start: token.start - 1, end: token.end },
      ...more,
      start: expr.start,
      end: token.end,
    };
  if (isIndex)
    return { node: 'TupleAccess', tuple: expr, index: Number(token.text), ...more, start: expr.start, end: token.end };
  if (token.kind !== 'word' && token.kind !== 'name') throw cursor.notSupported(`"${token.text}" after a dot`, token);
  const property: Expression = { node: 'Constant', value: token.text, start: token.start, end: token.end };
  return { node: 'ArrayAccess', array: expr, property, ...more, start: expr.start, end: token.end };
}

function parseElement(cursor: Cursor, expr: Expression, grammar: ExpressionGrammar): Expression {
  cursor.expectSign('[');
  const property = grammar.expression(cursor);
  const { end } = cursor.expectSign(']');
  return { node: 'ArrayAccess', array: expr, property, nullish: true, start: expr.start, end };
}

function parseElementOrSlice(cursor: Cursor, array: Expression, grammar: ExpressionGrammar): Expression {
  cursor.expectSign('[');
  const first = cursor.isSign(':') ? undefined : grammar.expression(cursor);
  if (first && cursor.takeSign(']'))
    return { node: 'ArrayAccess', array, property: first, start: array.start, end: cursor.lastEnd };
  if (!cursor.takeSign(':')) throw cursor.unexpected('"]" or ":"');
  const last = cursor.isSign(']') ? undefined : grammar.expression(cursor);
  const { end } = cursor.expectSign(']');
  return {
    node: 'ArraySlice',
    array,
    ...(first ? { start_expr: first } : {}),
    ...(last ? { end_expr: last } : {}),
    start: array.start,
    end,
  };
}
