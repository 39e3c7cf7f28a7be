import type { Cursor } from './cursor.ts';
import { SpanError } from '../query-error.ts';
import type { JoinExpr } from '../tree/statements.ts';

const sides = ['inner', 'left', 'right', 'full'];
const kinds = ['any', 'all', 'asof', 'semi', 'anti'];
const refused = ['positional', 'global', 'paste'];

/** The way in which the next table joins those before it. */
export type JoinWords = Required<Pick<JoinExpr, 'join_type'>> & Pick<JoinExpr, 'natural'>;

/**
 * Takes the words of a join up to JOIN, or a comma, and returns the published name: `LEFT ANY JOIN`, `ASOF INNER JOIN`.
 */
export function takeJoin(cursor: Cursor): JoinWords | undefined {
  const { start } = cursor.peek();
  const natural = cursor.takeWords('natural');
  const join_type = natural && cursor.isSign(',') ? undefined : takeType(cursor);
  if (!natural) return join_type === undefined ? undefined : { join_type };
  if (join_type === undefined || join_type === 'CROSS JOIN')
    throw new SpanError(
      'syntax_error',
      'NATURAL must come before a join other than CROSS JOIN, such as JOIN or LEFT JOIN',
      {
        start,
        end: cursor.lastEnd,
      },
    );
  return { join_type, natural };
}

function takeType(cursor: Cursor): string | undefined {
  if (cursor.takeSign(',') || cursor.takeWords('cross', 'join')) return 'CROSS JOIN';
  if (cursor.takeWords('join')) return 'JOIN';
  const words = wordsBefore(cursor);
  if (words === undefined) return undefined;
  for (let taken = 0; taken <= words.length; taken += 1) cursor.next();
  const side = words.find((word) => sides.includes(word)) ?? '';
  const kind = words.find((word) => kinds.includes(word)) ?? '';
  const outer = words.includes('outer') ? 'outer' : '';
  const ordered = isInner(side, kind) && kind !== '' ? [kind, 'inner'] : [side, outer, kind];
  return [...ordered, 'join']
    .filter((word) => word !== '')
    .join(' ')
    .toUpperCase();
}

// SEMI and ANTI without a side keep it open, as published.
function isInner(side: string, kind: string): boolean {
  return side === 'inner' || (side === '' && kind !== 'semi' && kind !== 'anti');
}

/** The words before JOIN: one side, OUTER after it, and one kind, before or after them. Nothing when there is no join here. */
function wordsBefore(cursor: Cursor): string[] | undefined {
  const words: string[] = [];
  while (words.length < 3 && !cursor.isWord('join', words.length)) {
    const token = cursor.peek(words.length);
    if (token.kind !== 'word') return undefined;
    words.push(token.text.toLowerCase());
  }
  if (!cursor.isWord('join', words.length)) return undefined;
  const other = words.find((word) => refused.includes(word));
  if (other !== undefined) throw cursor.notSupported(`${other.toUpperCase()} JOIN`);
  return patterns.has(words.map(classOf).join(' ')) &&
    !(words.includes('inner') && (words.includes('semi') || words.includes('anti') || words.includes('outer')))
    ? words
    : undefined;
}

const patterns = new Set([
  'side',
  'kind',
  'side kind',
  'kind side',
  'side outer',
  'side outer kind',
  'kind side outer',
]);

function classOf(word: string): string {
  return sides.includes(word) ? 'side' : kinds.includes(word) ? 'kind' : word;
}
