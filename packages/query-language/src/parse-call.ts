import type { Cursor } from './cursor.ts';
import type { ExpressionGrammar } from './parse-expression.ts';
import { parseTypeName } from './parse-type-name.ts';
import { parseOver } from './parse-window.ts';
import { startsStatement } from './parse-parenthesis.ts';
import type { Call, Expression } from './tree.ts';

/** Parses `name(…)` and `name(parameters)(arguments)`. */
export function parseCall(cursor: Cursor, grammar: ExpressionGrammar): Expression {
  const { text, start } = cursor.next();
  if (cursor.isSign('(') && startsExists(cursor, text)) return parseExists(cursor, start);
  let list = parseArguments(cursor, grammar);
  let params: Expression[] | undefined;
  if (cursor.isSign('(')) {
    if (list.distinct) throw cursor.unexpected('an operator');
    params = list.args;
    list = parseArguments(cursor, grammar);
  }
  const call: Call = { node: 'Call', name: text, args: list.args, ...(params ? { params } : {}), ...(list.distinct ? { distinct: true } : {}), start, end: cursor.lastEnd };
  const filter = parseFilter(cursor, grammar);
  if (filter) Object.assign(call, { filter_expr: filter, end: cursor.lastEnd });
  refuseSuffix(cursor);
  return parseOver(cursor, call, grammar);
}

// The word is a name elsewhere, so only its own bracket tells the clause.
function parseFilter(cursor: Cursor, grammar: ExpressionGrammar): Expression | undefined {
  if (!cursor.isWord('filter') || !cursor.isSign('(', 1)) return undefined;
  cursor.next();
  cursor.next();
  cursor.expectWord('where');
  const condition = grammar.expression(cursor);
  cursor.expectSign(')');
  return condition;
}

function refuseSuffix(cursor: Cursor): void {
  if (cursor.areWords('within', 'group')) throw cursor.notSupported('WITHIN GROUP');
  if (cursor.areWords('ignore', 'nulls') || cursor.areWords('respect', 'nulls')) throw cursor.notSupported('IGNORE or RESPECT NULLS');
}

function parseArguments(cursor: Cursor, grammar: ExpressionGrammar): { args: Expression[]; distinct: boolean } {
  cursor.expectSign('(');
  const distinct = cursor.takeWords('distinct');
  const args: Expression[] = [];
  while (!cursor.isSign(')')) {
    args.push(grammar.expression(cursor));
    if (!cursor.takeSign(',')) break;
  }
  if (cursor.areWords('order', 'by')) throw cursor.notSupported('ORDER BY inside a function; sort what it gives, arraySort(x -> x.1, groupArray((timestamp, event))), that');
  cursor.expectSign(')');
  return { args, distinct };
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
  const expr = startsStatement(cursor) ? cursor.nested(() => cursor.parseStatement(cursor)) : grammar.operand(cursor, 0);
  if (cursor.takeWords('as')) {
    const type_name = parseTypeName(cursor);
    const { end } = cursor.expectSign(')');
    return { node: word.text.toLowerCase() === 'cast' ? 'TypeCast' : 'TryCast', expr, type_name, start: word.start, end };
  }
  const args = [expr];
  while (cursor.takeSign(',') && !cursor.isSign(')')) args.push(grammar.expression(cursor));
  const { end } = cursor.expectSign(')');
  return { node: 'Call', name: word.text, args, start: word.start, end };
}
