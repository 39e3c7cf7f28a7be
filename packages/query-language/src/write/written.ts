import type { Expression } from '../tree/expressions.ts';
import type { Statement } from '../tree/statements.ts';

/** The text of an expression, and how tight the operator is that is outermost in it. */
export interface Written {
  text: string;
  power: number;
}

/** Tightness of what is no operator: needs no brackets anywhere. */
export const whole = 100;

/** Tightness of what takes everything after it, or an alias: stands without brackets in lists alone. */
export const loose = -1;

/** The entry points, handed to the parts of the writer (they would import each other in a ring otherwise). */
export interface Writing {
  /** Without brackets around it. */
  node: (expr: Expression) => Written;
  /** As in lists, brackets and arguments. */
  expression: (expr: Expression) => string;
  /** In brackets if its outermost operator is less tight than `least`. */
  operand: (expr: Expression, least: number) => string;
  statement: (tree: Statement) => string;
  /** A column of a SELECT, which may be named by its text. */
  column: (expr: Expression) => string;
}

/** A text that no operator pulls apart. */
export function wholeText(text: string): Written {
  return { text, power: whole };
}

/** Expressions with commas between them. */
export function listOf(exprs: readonly Expression[], { expression }: Writing): string {
  return exprs.map(expression).join(', ');
}

/** Is it a SELECT or several? */
export function isStatement(expr: Expression): expr is Statement {
  return expr.node === 'SelectQuery' || expr.node === 'SelectSetQuery';
}
