import { refusalIn, type RefusedNodes } from '@millrace/query-language/filters/refused-nodes.ts';
import { parseExpression } from '@millrace/query-language/parse.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import type { Expression } from '@millrace/query-language/tree/expressions.ts';
import { onQuery } from '../../definition/variables.ts';

const refused: RefusedNodes = {
  Field: ({ chain: [name] }) => (isOwnName(name) ? `unknown name ${JSON.stringify(name)}` : undefined),
};

/**
 * An expression of the query language that a definition holds (contract/insights 1.2). Names in it are resolved with the statement that it becomes a part of.
 * `place`: `query.series.0.math_hogql`.
 * @throws {AppError} 400 on `query`, which quotes the parser or says what cannot stand in it
 */
export function readExpression(text: string, place: string): Expression {
  const expression = parsed(text, place);
  const words = refusalIn(expression, refused);
  if (words !== undefined) throw onQuery(`${place}: ${words}.`);
  return expression;
}

function parsed(text: string, place: string): Expression {
  try {
    return parseExpression(text).tree;
  } catch (error) {
    throw error instanceof QueryError ? onQuery(`${place}: ${error.message}.`) : error;
  }
}

/** Columns that statements of insights make are named so. */
const isOwnName = (name: string | number | undefined): boolean =>
  typeof name === 'string' && name.toLowerCase().startsWith('insight_');
