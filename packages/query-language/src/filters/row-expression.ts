import { FilterError } from './filter-error.ts';
import type { ExpressionCondition } from './query-filters.ts';
import { parseExpression } from '../parse.ts';
import { QueryError } from '../query-error.ts';
import { refusalIn, type RefusedNodes } from './refused-nodes.ts';

const quotedMax = 200;

/** Parts of an expression that depend on more than a row. */
const refused: RefusedNodes = {
  SelectQuery: 'a sub-query is not allowed',
  SelectSetQuery: 'a sub-query is not allowed',
  ColumnsExpr: '* is not allowed',
};

/**
 * Reads a condition in the query language on one row. Names, types and aggregates are settled where it is compiled. `place` names the
 * condition in errors. Pure.
 * @throws {FilterError}
 */
export function readRowExpression(text: string, place: string): ExpressionCondition {
  const { tree: expression, units } = parsed(text, place);
  const words = refusalIn(expression, refused);
  if (words !== undefined) throw faulty(text, place, words);
  return { expression, text, units };
}

function parsed(text: string, place: string): ReturnType<typeof parseExpression> {
  try {
    return parseExpression(text);
  } catch (error) {
    throw error instanceof QueryError ? faulty(text, place, error.message) : error;
  }
}

function faulty(text: string, place: string, words: string): FilterError {
  return new FilterError(
    `The expression "${text.slice(0, quotedMax)}" in ${place} is no condition on a row: ${words}.`,
  );
}
