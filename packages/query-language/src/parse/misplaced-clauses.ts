import type { Cursor } from './cursor.ts';
import type { Token } from './lexer.ts';
import { refuseForeignEnd } from './foreign/foreign-operators.ts';
import { nearestName } from '../nearest-name.ts';
import { SpanError } from '../query-error.ts';
import { reservedAsAlias } from './words.ts';

const foreign = ['settings', 'format', 'into'];
const clauses = [
  'from',
  'join',
  'prewhere',
  'where',
  'group',
  'having',
  'window',
  'qualify',
  'order',
  'limit',
  'offset',
];
const order = 'WITH, SELECT, FROM, JOIN, ARRAY JOIN, WHERE, GROUP BY, HAVING, WINDOW, QUALIFY, ORDER BY, LIMIT, OFFSET';

/** Refuses, at the end of a SELECT, clauses that are not part of the language, in the wrong order, or spelt as in other products. Throws `SpanError`. */
export function refuseMisplaced(cursor: Cursor): void {
  const token = cursor.peek();
  if (token.kind === 'number' && cursor.isWord('top', -1))
    throw new SpanError('not_supported', `TOP n is not supported; write LIMIT n at the end of the query`, token);
  refuseForeignEnd(cursor, token);
  if (token.kind !== 'word') return refuseMisspelt(cursor, token);
  const word = token.text.toLowerCase();
  if (foreign.includes(word))
    throw new SpanError('not_allowed', `${word.toUpperCase()} is not part of the query language`, token);
  if ((word === 'group' || word === 'order') && !cursor.isWord('by', 1))
    throw new SpanError('syntax_error', `Expected BY after ${word.toUpperCase()}`, cursor.peek(1));
  if (clauses.includes(word))
    throw new SpanError(
      'syntax_error',
      `${word.toUpperCase()} is not allowed here, or appears twice; the clauses come in this order: ${order}`,
      token,
    );
  // `FROM t FETCH FIRST …` has taken the first word for an alias.
  if (word === 'fetch' || ((word === 'first' || word === 'next') && cursor.peek(1).kind === 'number'))
    throw new SpanError('not_supported', 'FETCH FIRST n ROWS ONLY is not supported; write LIMIT n', token);
  if (word === 'rows' || word === 'row')
    throw new SpanError('not_supported', 'OFFSET n ROWS is not supported; write OFFSET n', token);
  if (word === 'time' || word === 'at') refuseTimeZone(cursor, word);
  if (word === 'percent') throw cursor.notSupported('LIMIT in percent');
  refuseMisspelt(cursor, token);
}

const continuing = [
  ...clauses,
  'on',
  'using',
  'union',
  'intersect',
  'except',
  'and',
  'between',
  'like',
  'ilike',
  'is',
  'in',
  'desc',
  'asc',
];
const setWords = ['union', 'intersect', 'except'];

// In `count() FORM events` the misspelt word was taken for an alias, and the next word does not fit.
function refuseMisspelt(cursor: Cursor, token: Token): void {
  if (token.kind === 'end' || (token.kind === 'sign' && !'({['.includes(token.text))) return;
  if (token.kind === 'word' && setWords.includes(token.text.toLowerCase())) return;
  const before = cursor.peek(-1);
  const found = [token, before]
    .filter(({ kind, text }) => kind === 'word' && !reservedAsAlias.has(text.toLowerCase()))
    .map((word) => ({ word, meant: nearestName(word.text, continuing) }))
    .find(({ meant }) => meant !== undefined);
  if (found) throw cursor.unexpected('the end of the query', found.meant?.toUpperCase(), found.word);
}

// In `SELECT t AT TIME ZONE …` the first word is an alias.
function refuseTimeZone(cursor: Cursor, word: string): void {
  if (!cursor.areWords(...(word === 'at' ? ['at'] : []), 'time', 'zone')) return;
  throw new SpanError(
    'not_supported',
    "AT TIME ZONE is not supported; write toTimeZone(timestamp, 'Europe/Berlin')",
    cursor.peek(),
  );
}
