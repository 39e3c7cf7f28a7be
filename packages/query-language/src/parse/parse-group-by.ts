import type { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expression.ts';
import { SpanError } from '../query-error.ts';
import type { Expression } from '../tree/expressions.ts';
import type { GroupingSet, SelectQuery } from '../tree/statements.ts';

type GroupBy = Pick<SelectQuery, 'group_by' | 'group_by_mode'>;

/** Parses the part after GROUP BY: keys, ALL, ROLLUP, CUBE, GROUPING SETS, and the older WITH ROLLUP and WITH CUBE. */
export function parseGroupBy(cursor: Cursor): GroupBy {
  const grouped = parseKeys(cursor);
  if (!cursor.isWord('with')) return grouped;
  const { start } = cursor.next();
  const word = cursor.takeWords('rollup') ? 'rollup' : cursor.takeWords('cube') ? 'cube' : undefined;
  if (cursor.takeWords('totals')) throw withTotals(start, cursor.lastEnd);
  if (!word) throw cursor.unexpected('ROLLUP or CUBE');
  if (cursor.areWords('with', 'totals')) throw withTotals(cursor.next().start, cursor.next().end);
  if (grouped.group_by_mode)
    throw new SpanError('syntax_error', `WITH ${word.toUpperCase()} is only allowed after plain keys`, {
      start,
      end: cursor.lastEnd,
    });
  return { ...grouped, group_by_mode: word };
}

function parseKeys(cursor: Cursor): GroupBy {
  if (cursor.takeWords('grouping', 'sets')) return { group_by: parseSets(cursor), group_by_mode: 'grouping_sets' };
  if (cursor.isWord('all') && !cursor.isSign('(', 1) && !cursor.isSign('.', 1)) {
    cursor.next();
    return { group_by_mode: 'all' };
  }
  const group_by: Expression[] = [];
  do group_by.push(parseExpression(cursor));
  while (cursor.takeSign(','));
  // Beside other keys it is an ordinary call, as published, and no function has that name.
  const [only] = group_by;
  const word = group_by.length === 1 && only?.node === 'Call' && only.args.length > 0 ? only.name.toLowerCase() : '';
  return only?.node === 'Call' && (word === 'rollup' || word === 'cube')
    ? { group_by: only.args, group_by_mode: word }
    : { group_by };
}

function parseSets(cursor: Cursor): GroupingSet[] {
  cursor.expectSign('(');
  const sets: GroupingSet[] = [];
  do sets.push(parseSet(cursor));
  while (cursor.takeSign(','));
  cursor.expectSign(')');
  return sets;
}

function parseSet(cursor: Cursor): GroupingSet {
  const { start } = cursor.expectSign('(');
  const exprs: Expression[] = [];
  while (!cursor.isSign(')')) {
    exprs.push(parseExpression(cursor));
    if (!cursor.takeSign(',')) break;
  }
  const { end } = cursor.expectSign(')');
  return { node: 'GroupingSet', exprs, start, end };
}

// The row of totals is outside the rows: pages and other formats cannot hold it.
function withTotals(start: number, end: number): SpanError {
  return new SpanError(
    'not_supported',
    'WITH TOTALS is not supported: its row is not one of the result. GROUP BY GROUPING SETS ((a, b), ()) gives the totals as a row, with NULL in place of the keys',
    { start, end },
  );
}
