import type { Cursor } from './cursor.ts';
import { parseExpression } from './parse-expression.ts';
import { SpanError } from '../query-error.ts';
import type { Expression } from '../tree/expressions.ts';
import type { LimitByExpr } from '../tree/statements.ts';

/** The clauses that say how many rows there are. */
export interface ParsedLimits {
  limit_by?: LimitByExpr;
  limit?: Expression;
  limit_with_ties?: true;
  offset?: Expression;
}

/** Parses LIMIT BY, LIMIT with its ties, and OFFSET, as far as they are there. */
export function parseLimits(cursor: Cursor): ParsedLimits {
  const { start } = cursor.peek();
  const first = parseLimit(cursor);
  if (!first.limit || !cursor.takeWords('by')) return first;
  if (first.limit_with_ties)
    throw new SpanError('syntax_error', 'WITH TIES cannot be used together with LIMIT BY', {
      start,
      end: cursor.lastEnd,
    });
  const exprs = [parseExpression(cursor)];
  while (cursor.takeSign(',')) exprs.push(parseExpression(cursor));
  const limit_by: LimitByExpr = {
    node: 'LimitByExpr',
    n: first.limit,
    ...(first.offset ? { offset_value: first.offset } : {}),
    exprs,
    start,
    end: cursor.lastEnd,
  };
  if (cursor.areWords('with', 'ties'))
    throw new SpanError('syntax_error', 'WITH TIES cannot be used together with LIMIT BY', cursor.peek());
  return { limit_by, ...parseLimit(cursor) };
}

function parseLimit(cursor: Cursor): ParsedLimits {
  const limits: ParsedLimits = {};
  if (cursor.takeWords('limit')) {
    limits.limit = parseExpression(cursor);
    if (cursor.isSign('%')) throw cursor.notSupported('LIMIT in percent');
    // As ClickHouse and MySQL have it. The published parser takes the numbers the other way round.
    if (cursor.takeSign(',')) Object.assign(limits, { offset: limits.limit, limit: parseExpression(cursor) });
    takeTies(cursor, limits);
  }
  if (!limits.offset && cursor.takeWords('offset')) limits.offset = parseExpression(cursor);
  if (limits.limit) takeTies(cursor, limits);
  if (limits.offset && !limits.limit) takeLateLimit(cursor, limits);
  return limits;
}

// `OFFSET 3 LIMIT 2`, as Postgres has it too.
function takeLateLimit(cursor: Cursor, limits: ParsedLimits): void {
  if (!cursor.takeWords('limit')) return;
  limits.limit = parseExpression(cursor);
  takeTies(cursor, limits);
  if (cursor.isWord('by'))
    throw new SpanError(
      'syntax_error',
      'With LIMIT BY write the OFFSET after the LIMIT: LIMIT 2 OFFSET 3 BY …',
      cursor.peek(),
    );
}

function takeTies(cursor: Cursor, limits: ParsedLimits): void {
  if (cursor.takeWords('with', 'ties')) limits.limit_with_ties = true;
}
