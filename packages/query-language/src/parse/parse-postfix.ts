import type { Cursor } from './cursor.ts';
import type { ExpressionGrammar } from './parse-expression.ts';
import { stepsOfPath } from './foreign/json-path.ts';
import { parseTypeName } from './parse-type-name.ts';
import type { Constant, Expression } from '../tree/expressions.ts';

/** Takes the accesses and casts after `operand`: `.name`, `.1`, `[…]`, `?.`, `->'name'`, `::type`. They bind tighter than every operator. */
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
  if (cursor.isSign('->') || cursor.isSign('->>')) return parseArrow(cursor, expr);
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

// `properties->'plan'` and `properties->>'plan'` of Postgres, `properties->>'$.plan'` of MySQL: items of a list count from 0 there.
function parseArrow(cursor: Cursor, array: Expression): Expression {
  cursor.next();
  const { start } = cursor.peek();
  const fromEnd = cursor.takeSign('-');
  const { kind, text, end } = cursor.peek();
  const place = kind === 'number' && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
  if (place === undefined && (kind !== 'string' || fromEnd))
    throw cursor.unexpected("a property's name in quotes, or the index of an item, from 0");
  const path = place === undefined ? stepsOfPath(text) : undefined;
  if (path?.length === 0)
    throw cursor.unexpected(
      `a path to one value, such as '$.plan' or '$.items[0]'; for other paths write JSON_VALUE(properties, path)`,
    );
  cursor.next();
  const steps = path ?? [place === undefined ? text : fromEnd ? -place : place + 1];
  return steps.reduce<Expression>((inner, value) => {
    const property: Constant = { node: 'Constant', value, start, end };
    return { node: 'ArrayAccess', array: inner, property, start: array.start, end };
  }, array);
}

function parseElementOrSlice(cursor: Cursor, array: Expression, grammar: ExpressionGrammar): Expression {
  cursor.expectSign('[');
  const isLiteral = isArrayWord(cursor, array);
  if (isLiteral && cursor.takeSign(']')) return { node: 'Array', exprs: [], start: array.start, end: cursor.lastEnd };
  const first = cursor.isSign(':') ? undefined : grammar.expression(cursor);
  if (first && isLiteral && cursor.isSign(',')) return parseItems(cursor, array, first, grammar);
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

// `ARRAY[1, 2]`. With one item it may be a column's name: the tree leaves that open, and names decide.
function isArrayWord(cursor: Cursor, { node, ...array }: Expression): boolean {
  return node === 'Field' && /^array$/i.test(cursor.text.slice(array.start, array.end));
}

function parseItems(cursor: Cursor, array: Expression, first: Expression, grammar: ExpressionGrammar): Expression {
  const exprs = [first];
  while (cursor.takeSign(',') && !cursor.isSign(']')) exprs.push(grammar.expression(cursor));
  const { end } = cursor.expectSign(']');
  return { node: 'Array', exprs, start: array.start, end };
}
