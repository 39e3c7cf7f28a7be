import type { Cursor } from './cursor.ts';
import { power } from './powers.ts';
import type { ExpressionGrammar } from './parse-expression.ts';
import { QueryFault } from './query-error.ts';
import type { Expression } from './tree.ts';
import { intervalFunctions, reservedAsAlias } from './words.ts';

/** Parses both forms of CASE into the calls that they stand for: `if`, `multiIf`, `_caseWithExpression`. */
export function parseCase(cursor: Cursor, grammar: ExpressionGrammar): Expression {
  const { start } = cursor.next();
  const args: Expression[] = [];
  const matched = !cursor.isWord('when');
  if (matched) args.push(grammar.expression(cursor));
  let branches = 0;
  while (cursor.takeWords('when')) {
    args.push(grammar.expression(cursor));
    cursor.expectWord('then');
    args.push(grammar.expression(cursor));
    branches += 1;
  }
  if (branches === 0) throw cursor.unexpected('WHEN');
  const hasElse = cursor.takeWords('else');
  args.push(hasElse ? grammar.expression(cursor) : { node: 'Constant', value: null, start: cursor.lastEnd, end: cursor.lastEnd });
  const { end } = cursor.expectWord('end');
  const name = matched ? '_caseWithExpression' : branches === 1 ? 'if' : 'multiIf';
  return { node: 'Call', name, args, start, end };
}

/** Is this `interval` the keyword, and not a column or function of that name? Told by the next token. */
export function startsInterval(cursor: Cursor): boolean {
  const token = cursor.peek(1);
  if (token.kind === 'number' || token.kind === 'string' || token.kind === 'name') return true;
  if (token.kind === 'word') return !reservedAsAlias.has(token.text.toLowerCase()) || token.text.toLowerCase() === 'case';
  if (cursor.isSign('-', 1)) return cursor.peek(2).kind === 'number' && unitOf(cursor.peek(3).text) !== undefined;
  return cursor.isSign('(', 1) || cursor.isSign('{', 1);
}

/** Parses `INTERVAL 7 DAY` and `INTERVAL '7 days'`. */
export function parseInterval(cursor: Cursor, grammar: ExpressionGrammar): Expression {
  const { start } = cursor.next();
  const token = cursor.peek();
  if (token.kind === 'string' && !(cursor.peek(1).kind === 'word' && unitOf(cursor.peek(1).text))) {
    cursor.next();
    const [, count = '', unit = ''] = /^\s*(\d+)\s+([A-Za-z]+)\s*$/.exec(token.text) ?? [];
    const name = unitOf(unit.replace(/s$/i, ''));
    if (!name) throw new QueryFault('syntax_error', `'${token.text}' is not an interval; write INTERVAL 7 DAY`, token);
    return { node: 'Call', name, args: [{ node: 'Constant', value: Number(count), start: token.start, end: token.end }], start, end: token.end };
  }
  const amount = grammar.operand(cursor, power.compare);
  const unit = cursor.peek();
  const name = unit.kind === 'word' ? unitOf(unit.text) : undefined;
  if (!name) throw cursor.unexpected(`a unit (${Object.keys(intervalFunctions).join(', ').toUpperCase()})`);
  cursor.next();
  return { node: 'Call', name, args: [amount], start, end: unit.end };
}

function unitOf(word: string): string | undefined {
  const unit = word.toLowerCase();
  return Object.hasOwn(intervalFunctions, unit) ? intervalFunctions[unit] : undefined;
}
