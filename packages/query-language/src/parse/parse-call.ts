import type { Cursor } from './cursor.ts';
import type { ExpressionGrammar } from './parse-expression.ts';
import { parseNulls, parseOrder } from './parse-order.ts';
import { parseTypeName } from './parse-type-name.ts';
import { parseOver } from './parse-window.ts';
import { startsStatement } from './parse-parenthesis.ts';
import { separatorInstead } from './foreign/foreign-operators.ts';
import { isSubstring, parseBounds } from './parse-substring.ts';
import type { Call, Expression } from '../tree/expressions.ts';
import { lambdaFunctions } from './words.ts';

/** Parses `name(…)` and `name(parameters)(arguments)`, with the words that are allowed inside and after an aggregate's brackets. */
export function parseCall(cursor: Cursor, grammar: ExpressionGrammar): Expression {
  const { text, start } = cursor.next();
  if (cursor.isSign('(') && startsExists(cursor, text)) return parseExists(cursor, start);
  let list = parseArguments(cursor, grammar, text);
  let params: Expression[] | undefined;
  if (cursor.isSign('(')) {
    if (list.distinct || list.order_by || list.nulls) throw cursor.unexpected('an operator');
    params = list.args;
    list = parseArguments(cursor, grammar, text);
  }
  const { args, ...inside } = list;
  const call: Call = {
    node: 'Call',
    name: text,
    args,
    ...(params ? { params } : {}),
    ...inside,
    start,
    end: cursor.lastEnd,
  };
  parseBehind(cursor, call, grammar);
  return parseOver(cursor, call, grammar);
}

function parseBehind(cursor: Cursor, call: Call, grammar: ExpressionGrammar): void {
  if (cursor.takeWords('within', 'group')) {
    if (call.params || call.order_by) throw cursor.unexpected('an operator');
    cursor.expectSign('(');
    cursor.expectWord('order');
    cursor.expectWord('by');
    Object.assign(call, { within_group: parseOrder(cursor, grammar.expression), params: call.args, args: [] });
    cursor.expectSign(')');
  }
  const nulls = parseNulls(cursor);
  const filter_expr = parseFilter(cursor, grammar);
  Object.assign(call, nulls ?? parseNulls(cursor), filter_expr ? { filter_expr } : {}, { end: cursor.lastEnd });
}

// The word is a name elsewhere, so only its own bracket marks the clause.
function parseFilter(cursor: Cursor, grammar: ExpressionGrammar): Expression | undefined {
  if (!cursor.isWord('filter') || !cursor.isSign('(', 1)) return undefined;
  cursor.next();
  cursor.next();
  cursor.expectWord('where');
  const condition = grammar.expression(cursor);
  cursor.expectSign(')');
  return condition;
}

function parseArguments(
  cursor: Cursor,
  grammar: ExpressionGrammar,
  name: string,
): Pick<Call, 'args' | 'distinct' | 'order_by' | 'nulls'> {
  cursor.expectSign('(');
  const distinct = cursor.takeWords('distinct');
  const args: Expression[] = [];
  const mayBeLambda = lambdaFunctions.has(name.toLowerCase());
  while (!cursor.isSign(')') && !cursor.areWords('order', 'by')) {
    if (mayBeLambda) cursor.lambdaAt = cursor.place;
    args.push(grammar.expression(cursor));
    if (!cursor.takeSign(',')) break;
  }
  const [text] = args;
  if (text && args.length === 1 && isSubstring(name)) args.push(...parseBounds(cursor, text, grammar));
  const nulls = parseNulls(cursor);
  const order_by = cursor.takeWords('order', 'by') ? parseOrder(cursor, grammar.expression) : undefined;
  const behind = parseNulls(cursor);
  if (text && cursor.isWord('separator')) throw separatorInstead(cursor, text);
  cursor.expectSign(')');
  return { args, ...(distinct ? { distinct } : {}), ...(nulls ?? behind), ...(order_by ? { order_by } : {}) };
}

function startsExists(cursor: Cursor, name: string): boolean {
  return name.toLowerCase() === 'exists' && (cursor.isWord('select', 1) || cursor.isWord('with', 1));
}

function parseExists(cursor: Cursor, start: number): Expression {
  cursor.expectSign('(');
  const statement = cursor.nested(() => cursor.parseStatement(cursor));
  const { end } = cursor.expectSign(')');
  return { node: 'Call', name: 'exists', args: [statement], start, end };
}

/** Parses `CAST(x AS type)` and `CAST(x, 'type')`. */
export function parseCast(cursor: Cursor, grammar: ExpressionGrammar): Expression {
  const word = cursor.next();
  cursor.expectSign('(');
  const expr =
    !cursor.isSign('(') && startsStatement(cursor)
      ? cursor.nested(() => cursor.parseStatement(cursor))
      : grammar.operand(cursor, 0);
  if (cursor.takeWords('as')) {
    const type_name = parseTypeName(cursor);
    const { end } = cursor.expectSign(')');
    return {
      node: word.text.toLowerCase() === 'cast' ? 'TypeCast' : 'TryCast',
      expr,
      type_name,
      start: word.start,
      end,
    };
  }
  const args = [expr];
  while (cursor.takeSign(',') && !cursor.isSign(')')) args.push(grammar.expression(cursor));
  const { end } = cursor.expectSign(')');
  return { node: 'Call', name: word.text, args, start: word.start, end };
}
