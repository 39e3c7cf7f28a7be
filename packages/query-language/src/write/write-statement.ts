import type { Expression } from '../tree/expressions.ts';
import type { Statement } from '../tree/statements.ts';
import { writeNode } from './write-expression.ts';
import { writeQuery } from './write-select.ts';
import type { Writing } from './written.ts';

const writing: Writing = {
  node: (expr) => writeNode(expr, writing),
  expression: (expr) => writeNode(expr, writing).text,
  operand: (expr, least) => {
    const { text, power } = writeNode(expr, writing);
    return power < least ? `(${text})` : text;
  },
  statement: (tree) => writeQuery(tree, writing),
};

/**
 * The text of a statement in the query language: one line, with brackets only where they are needed. Parsed, it is the same tree but for
 * positions and for the text that columns without an alias are written as (`withWrittenNames` keeps their names). Throws for what only code
 * makes and no text says: a search in texts, a number that is not finite.
 */
export function writeStatement(tree: Statement): string {
  return writing.statement(tree);
}

/** The text of an expression, as `writeStatement` writes it. */
export function writeExpression(expr: Expression): string {
  return writing.expression(expr);
}
