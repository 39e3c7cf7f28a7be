import type { Cursor } from './cursor.ts';
import { parseTablePath } from './parse-from.ts';
import { startsStatement } from './parse-parenthesis.ts';
import { parseStatement } from './parse-select.ts';
import { startsValues } from './parse-values.ts';
import { SpanError } from '../query-error.ts';
import type { Command, Request, ShowTables } from '../tree/commands.ts';

const patternMax = 100;

/** Parses what a text begins with: a statement, SHOW, DESCRIBE or EXPLAIN. Throws `SpanError`. */
export function parseRequest(cursor: Cursor): Request {
  if (cursor.isWord('show')) return parseShow(cursor);
  if (cursor.isWord('describe') || cursor.isWord('desc')) return parseDescribe(cursor);
  return cursor.isWord('explain') ? parseExplain(cursor) : parseStatement(cursor);
}

function parseShow(cursor: Cursor): Command {
  const { start } = cursor.next();
  if (cursor.takeWords('tables')) return { node: 'ShowTables', ...parseLike(cursor), start, end: cursor.lastEnd };
  if (cursor.takeWords('columns') && (cursor.takeWords('from') || cursor.takeWords('in')))
    return { node: 'DescribeTable', table: parseTablePath(cursor), start, end: cursor.lastEnd };
  throw new SpanError(
    'not_allowed',
    'Write SHOW TABLES, or SHOW COLUMNS FROM and a table, as in SHOW COLUMNS FROM events',
    { start, end: cursor.peek().end },
  );
}

function parseLike(cursor: Cursor): Pick<ShowTables, 'like'> {
  const anyCase = cursor.isWord('ilike');
  if (!anyCase && !cursor.isWord('like')) return {};
  cursor.next();
  const { kind, text: pattern } = cursor.peek();
  if (kind !== 'string' || pattern.length > patternMax)
    throw cursor.unexpected(`a pattern in quotes, of ${patternMax} characters at most`);
  cursor.next();
  return { like: { pattern, anyCase } };
}

function parseDescribe(cursor: Cursor): Command {
  const { start } = cursor.next();
  if (startsQuery(cursor)) return { node: 'DescribeQuery', query: parseStatement(cursor), start, end: cursor.lastEnd };
  if (cursor.isWord('table') && cursor.peek(1).kind !== 'end' && !cursor.isSign(';', 1)) cursor.next();
  return { node: 'DescribeTable', table: parseTablePath(cursor), start, end: cursor.lastEnd };
}

function parseExplain(cursor: Cursor): Command {
  const { start } = cursor.next();
  cursor.takeWords('plan');
  if (!startsQuery(cursor))
    throw new SpanError('not_allowed', 'Write EXPLAIN directly before a SELECT, without other words or settings', {
      start,
      end: cursor.peek().end,
    });
  return { node: 'ExplainQuery', query: parseStatement(cursor), start, end: cursor.lastEnd };
}

function startsQuery(cursor: Cursor): boolean {
  return cursor.isWord('with') || startsStatement(cursor) || startsValues(cursor);
}
