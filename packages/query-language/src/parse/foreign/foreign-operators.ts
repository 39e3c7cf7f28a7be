import type { Cursor } from '../cursor.ts';
import type { Token } from '../lexer.ts';
import { SpanError, type Span } from '../../query-error.ts';
import type { Expression } from '../../tree/expressions.ts';

// Operators and forms of other databases: each is refused with what it is here.

/** Operators that are words, with the call that they are here: `$1` before and `$2` after the word. */
const operators: Readonly<Record<string, string>> = {
  regexp: 'match($1, $2)',
  rlike: 'match($1, $2)',
  contains: 'position($1, $2) > 0',
  div: 'intDiv($1, $2)',
  mod: '$1 % $2',
};

/** Refuses `a REGEXP 'b'`, `a DIV 2` and their like after `left`, where the word can be no alias. Throws `SpanError`. */
export function refuseForeignOperator(cursor: Cursor, left: Expression, negated: boolean): undefined {
  const at = negated ? 1 : 0;
  const token = cursor.peek(at);
  const word = token.kind === 'word' ? token.text.toLowerCase() : '';
  const isSimilar = word === 'similar' && cursor.isWord('to', at + 1);
  const call = isSimilar ? 'match($1, $2)' : Object.hasOwn(operators, word) ? operators[word] : undefined;
  const right = cursor.peek(at + (isSimilar ? 2 : 1));
  if (call === undefined || (right.kind !== 'string' && right.kind !== 'number')) return undefined;
  const instead = call.replace(/\$([12])/g, (_, place) => textOf(cursor, place === '1' ? left : right));
  throw refused(isSimilar ? 'SIMILAR TO' : token.text, token, `${negated ? 'NOT ' : ''}${instead}`);
}

/** Refuses `properties ? 'plan'`, which asks Postgres for a key. Throws `SpanError`. */
export function refuseKeyTest(cursor: Cursor, object: Expression, key: Expression): void {
  if (cursor.isSign(':') || key.node !== 'Constant' || typeof key.value !== 'string') return;
  const span = { start: object.start, end: key.end };
  throw refused('? with a key', span, `JSONHas(${textOf(cursor, object)}, ${textOf(cursor, key)})`);
}

/** Refuses what Snowflake, LIKE of other databases and spoken intervals have after an expression. Throws `SpanError`. */
export function refuseForeignEnd(cursor: Cursor, token: Token): void {
  const [before, next] = [cursor.peek(-1), cursor.peek(1)];
  if (token.kind === 'sign' && token.text === ':' && before.kind === 'word' && next.kind === 'word')
    throw refused('A path after a colon', token, `${before.text}.${next.text}`);
  if (token.kind !== 'word') return;
  if (token.text.toLowerCase() === 'escape' && next.kind === 'string')
    throw new SpanError(
      'not_supported',
      'ESCAPE is not supported; write a backslash before % or _ in the pattern',
      token,
    );
  const unit = /^(?:second|minute|hour|day|week|month|quarter|year)(?=s?$)/i.exec(token.text)?.[0];
  if (unit !== undefined && before.kind === 'number')
    throw refused(
      `${before.text} ${token.text}`,
      { start: before.start, end: token.end },
      `INTERVAL ${before.text} ${unit.toUpperCase()}`,
    );
}

/** The error for `GROUP_CONCAT(event SEPARATOR ',')`, whose first argument is `text`. */
export function separatorInstead(cursor: Cursor, text: Expression): SpanError {
  const separator = cursor.peek(1);
  const between = separator.kind === 'string' ? textOf(cursor, separator) : "','";
  return refused('SEPARATOR', cursor.peek(), `string_agg(${textOf(cursor, text)}, ${between})`);
}

/** Refuses `r'…'`, `E'…'` and their like. Throws `SpanError`. */
export function refusePrefixedText(cursor: Cursor, token: Token): void {
  const text = cursor.peek(1);
  if (!/^[rebnx]$/i.test(token.text) || text.kind !== 'string' || text.start !== token.end) return;
  throw new SpanError(
    'syntax_error',
    `A text has no letter before its quote: write '…' alone, with two backslashes for each one`,
    { start: token.start, end: text.end },
  );
}

const textOf = (cursor: Cursor, { start, end }: Span): string => cursor.text.slice(start, end);

const refused = (what: string, span: Span, instead: string): SpanError =>
  new SpanError('not_supported', `${what} is not supported here`, span, instead);
