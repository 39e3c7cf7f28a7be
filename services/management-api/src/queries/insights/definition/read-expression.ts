import { parseExpression } from '@millrace/query-language/parse.ts';
import { QueryError } from '@millrace/query-language/query-error.ts';
import type { Expression, TreeNode } from '@millrace/query-language/tree/expressions.ts';
import { childNodes } from '@millrace/query-language/tree/tree-nodes.ts';
import { onQuery } from '../../definition/variables.ts';

/**
 * An expression of the query language that a definition holds (contract/insights 1.2). Names in it are resolved with the statement that it becomes a part of.
 * `place`: `query.series[0].math_hogql`.
 * @throws {AppError} 400 on `query`, which quotes the parser or says what cannot stand in it
 */
export function readExpression(text: string, place: string): Expression {
  const expression = parsed(text, place);
  const open: TreeNode[] = [expression];
  for (let node = open.pop(); node; node = open.pop()) {
    const words = faultOf(node);
    if (words !== undefined) throw onQuery(`${place}: ${words}.`);
    // Aliases and windows of a sub-query are its own.
    if (node.node !== 'SelectQuery' && node.node !== 'SelectSetQuery') open.push(...childNodes(node));
  }
  return expression;
}

function parsed(text: string, place: string): Expression {
  try {
    return parseExpression(text).tree;
  } catch (error) {
    throw error instanceof QueryError ? onQuery(`${place}: ${error.message}.`) : error;
  }
}

function faultOf(node: TreeNode): string | undefined {
  switch (node.node) {
    // It would be a name for the rest of the statement, in which such names as timestamp have a meaning.
    case 'Alias':
      return 'an alias is not allowed in an expression. Write the expression alone';
    case 'WindowFunction':
      return 'a window function is not allowed in an expression';
    case 'Placeholder':
      return `an expression has no variables${node.expr.node === 'Field' ? `, such as {${node.expr.chain.join('.')}}` : ''}. Write the value`;
    case 'Field':
      return isOwnName(node.chain[0]) ? `unknown name ${JSON.stringify(node.chain[0])}` : undefined;
    default:
      return undefined;
  }
}

/** Columns that statements of insights make are named so. */
const isOwnName = (name: string | number | undefined): boolean =>
  typeof name === 'string' && name.toLowerCase().startsWith('insight_');
