import type { Cursor } from './cursor.ts';
import type { ExpressionGrammar } from './parse-expression.ts';
import { SpanError } from '../query-error.ts';
import type { Expression } from '../tree/expressions.ts';

/** Is it a function that may have words between its arguments: `substring(s FROM 2 FOR 3)`? */
export function isSubstring(name: string): boolean {
  return /^substr(?:ing)?$/i.test(name);
}

/** Parses `FROM 2 FOR 3` after the text: the place of the first character and how many they are. Without FROM it is the first. */
export function parseBounds(cursor: Cursor, text: Expression, grammar: ExpressionGrammar): Expression[] {
  if (!cursor.isWord('from') && !cursor.isWord('for')) return [];
  const { start } = cursor.peek();
  const early = cursor.takeWords('for') ? grammar.expression(cursor) : undefined;
  const from: Expression = cursor.takeWords('from')
    ? grammar.expression(cursor)
    : { node: 'Constant', value: 1, start, end: start };
  if (from.node === 'Constant' && typeof from.value === 'string') throw ofPattern(cursor, text, from);
  const length = early ?? (cursor.takeWords('for') ? grammar.expression(cursor) : undefined);
  return length ? [from, length] : [from];
}

function ofPattern(cursor: Cursor, text: Expression, pattern: Expression): SpanError {
  const written = ({ start, end }: Expression): string => cursor.text.slice(start, end);
  return new SpanError(
    'not_supported',
    `To take the part of a text that matches a pattern write extract(${written(text)}, ${written(pattern)})`,
    pattern,
  );
}
