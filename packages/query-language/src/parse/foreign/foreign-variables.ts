import type { Cursor } from '../cursor.ts';
import type { Token } from '../lexer.ts';
import { SpanError, type Span } from '../../query-error.ts';
import type { Placeholder } from '../../tree/expressions.ts';

const shownMax = 60;

/** Refuses placeholders of other products: `?`, `:country`, `%s`, `%(country)s`. Throws `SpanError`. */
export function refuseForeignVariable(cursor: Cursor, sign: Token): void {
  const behind = cursor.peek(1);
  if (sign.text === '?') throw variableInstead('?', '', sign);
  if (sign.text === ':' && (behind.kind === 'word' || behind.kind === 'number'))
    throw variableInstead(`:${behind.text}`, nameOf(behind), { start: sign.start, end: behind.end });
  if (sign.text !== '%') return;
  const named = cursor.isSign('(', 1) ? cursor.peek(2) : undefined;
  if (named?.kind === 'word')
    throw variableInstead(`%(${named.text})s`, named.text, { start: sign.start, end: named.end });
  if (cursor.isWord('s', 1)) throw variableInstead('%s', '', { start: sign.start, end: behind.end });
}

const nameOf = ({ kind, text }: Token): string => (kind === 'word' ? text : '');

/** Refuses a placeholder in two pairs of braces: `{{country}}`. Its inner braces were parsed. Throws `SpanError`. */
export function refuseDoubleBraces(cursor: Cursor, { expr, start, end }: Placeholder): void {
  if (!cursor.isSign('}')) return;
  const name = expr.node === 'Field' ? expr.chain.filter((part, at) => at > 0 || part !== 'variables').join('.') : '';
  throw variableInstead(`{${cursor.text.slice(start, end)}}`, name, { start, end: cursor.peek().end });
}

/** The error for a variable in the syntax of other products; `name` is empty when it has none. */
export function variableInstead(written: string, name: string, span: Span): SpanError {
  return new SpanError(
    'syntax_error',
    `${written.slice(0, shownMax)} is not a value here; write a variable as {variables.${(name || 'name').slice(0, shownMax)}}`,
    span,
  );
}
