import type { Cursor } from './cursor.ts';
import { power } from './powers.ts';
import type { ExpressionGrammar } from './parse-expression.ts';
import { intervalOf, unitOf } from './interval-text.ts';
import type { Expression } from '../tree/expressions.ts';
import { intervalFunctions, partFunctions, reservedAsAlias } from './words.ts';

/** Parses both forms of CASE into calls: `if`, `multiIf`, `_caseWithExpression`. */
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
  args.push(
    hasElse
      ? grammar.expression(cursor)
      : { node: 'Constant', value: null, start: cursor.lastEnd, end: cursor.lastEnd },
  );
  const { end } = cursor.expectWord('end');
  const name = matched ? '_caseWithExpression' : branches === 1 ? 'if' : 'multiIf';
  return { node: 'Call', name, args, start, end };
}

/** Is this `interval` the keyword, and not a column or function of that name? The next token decides. */
export function startsInterval(cursor: Cursor): boolean {
  const token = cursor.peek(1);
  if (token.kind === 'number' || token.kind === 'string' || token.kind === 'name') return true;
  if (token.kind === 'word')
    return !reservedAsAlias.has(token.text.toLowerCase()) || token.text.toLowerCase() === 'case';
  if (cursor.isSign('-', 1)) return cursor.peek(2).kind === 'number' && unitOf(cursor.peek(3).text) !== undefined;
  return cursor.isSign('(', 1) || cursor.isSign('{', 1);
}

/** Parses `INTERVAL 7 DAY`, `INTERVAL '7 days'` and `INTERVAL '1 day 2 hours'`. */
export function parseInterval(cursor: Cursor, grammar: ExpressionGrammar): Expression {
  const { start } = cursor.next();
  const token = cursor.peek();
  if (token.kind === 'string' && !(cursor.peek(1).kind === 'word' && unitOf(cursor.peek(1).text))) {
    cursor.next();
    return intervalOf(token.text, { start, end: token.end }, token);
  }
  const amount = grammar.operand(cursor, power.compare);
  const unit = cursor.peek();
  const name = unit.kind === 'word' ? unitOf(unit.text) : undefined;
  if (!name) throw cursor.unexpected(`a unit (${Object.keys(intervalFunctions).join(', ').toUpperCase()})`);
  cursor.next();
  if (cursor.peek().kind === 'number' && unitOf(cursor.peek(1).text) !== undefined)
    throw cursor.unexpected("the end of the interval (write several units as INTERVAL '1 day 2 hours')");
  return { node: 'Call', name, args: [amount], start, end: unit.end };
}

/** Parses the forms of standard SQL that have words between their arguments into calls: EXTRACT(year FROM t), TRIM(BOTH 'x' FROM s). */
export function parseWordedCall(cursor: Cursor, grammar: ExpressionGrammar): Expression | undefined {
  const { text, start } = cursor.peek();
  const name = text.toLowerCase();
  if (name === 'extract' && cursor.peek(2).kind === 'word' && cursor.isWord('from', 3))
    return parseExtract(cursor, start, grammar);
  if (
    name === 'trim' &&
    ['both', 'leading', 'trailing'].some((word) => cursor.isWord(word, 2)) &&
    cursor.peek(3).kind === 'string'
  )
    return parseTrim(cursor, start, grammar);
  return undefined;
}

function parseExtract(cursor: Cursor, start: number, grammar: ExpressionGrammar): Expression {
  cursor.next();
  cursor.next();
  const unit = cursor.peek();
  const word = unit.text.toLowerCase();
  const name = Object.hasOwn(partFunctions, word) ? partFunctions[word] : undefined;
  if (name === undefined)
    throw cursor.unexpected(`a part of a time (${Object.keys(partFunctions).join(', ').toUpperCase()})`);
  cursor.next();
  cursor.next();
  const time = grammar.expression(cursor);
  const { end } = cursor.expectSign(')');
  // As in Postgres, from 0 for Sunday; `isodow` counts from 1 for Monday.
  const fromSunday: Expression[] =
    word === 'dow' ? [{ node: 'Constant', value: 2, start: unit.start, end: unit.end }] : [];
  return { node: 'Call', name, args: [time, ...fromSunday], start, end };
}

const trims: Readonly<Record<string, string>> = { both: 'trim', leading: 'trimLeft', trailing: 'trimRight' };

function parseTrim(cursor: Cursor, start: number, grammar: ExpressionGrammar): Expression {
  cursor.next();
  cursor.next();
  const name = trims[cursor.next().text.toLowerCase()] ?? 'trim';
  const characters = grammar.operand(cursor, power.minus);
  cursor.expectWord('from');
  const text = grammar.expression(cursor);
  const { end } = cursor.expectSign(')');
  return { node: 'Call', name, args: [text, characters], start, end };
}

/** Parses DATE '2026-01-31' and TIMESTAMP '2026-01-31 12:00:00'. */
export function parseTimeLiteral(cursor: Cursor): Expression {
  const word = cursor.next();
  const text = cursor.next();
  const value: Expression = { node: 'Constant', value: text.text, start: text.start, end: text.end };
  return {
    node: 'Call',
    name: word.text.toLowerCase() === 'date' ? 'toDate' : 'toDateTime',
    args: [value],
    start: word.start,
    end: text.end,
  };
}
