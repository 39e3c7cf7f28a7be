import type { Expression } from '../tree/expressions.ts';
import type { Statement } from '../tree/statements.ts';
import { writeNode } from './write-expression.ts';
import { writeNamedColumn } from './write-named-column.ts';
import { writeQuery } from './write-select.ts';
import type { Writing } from './written.ts';

function writingOf(keepNames: boolean): Writing {
  const writing: Writing = {
    node: (expr) => writeNode(expr, writing),
    expression: (expr) => writeNode(expr, writing).text,
    operand: (expr, least) => {
      const { text, power } = writeNode(expr, writing);
      return power < least ? `(${text})` : text;
    },
    statement: (tree) => writeQuery(tree, writing),
    column: (expr) => (keepNames ? writeNamedColumn(expr, writing) : writing.expression(expr)),
  };
  return writing;
}

const [canonical, named] = [writingOf(false), writingOf(true)];

/**
 * The text of a statement in the query language: one line, with brackets only where they are needed. Parsed, it is the same tree but for
 * positions. Columns without an alias are called by their text: with `keepNames` they keep the text that their author wrote, so that they
 * keep their names. Throws for what only code makes and no text says: a search in texts, a number that is not finite.
 */
export function writeStatement(tree: Statement, { keepNames = false }: { keepNames?: boolean } = {}): string {
  return (keepNames ? named : canonical).statement(tree);
}

/** The text of an expression, as `writeStatement` writes it. */
export function writeExpression(expr: Expression): string {
  return canonical.expression(expr);
}
