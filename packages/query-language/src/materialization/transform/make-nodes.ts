import type { Alias, Call, Expression, Field } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';

const nowhere = { start: 0, end: 0 };

/** A column of the stored table, whatever else has its name. */
export function storedColumn(name: string): Field {
  return { node: 'Field', chain: [name], from: 0, ...nowhere };
}

export function field(...chain: string[]): Field {
  return { node: 'Field', chain, ...nowhere };
}

export function callOf(name: string, ...args: Expression[]): Call {
  return { node: 'Call', name, args, ...nowhere };
}

/** The expression under a name, or the expression itself where that is its name already. */
export function named(expr: Expression, alias: string): Expression {
  const isNamed = expr.node === 'Field' && expr.chain[expr.chain.length - 1] === alias;
  return isNamed ? expr : ({ node: 'Alias', alias, expr, ...nowhere } satisfies Alias);
}

export function equal(left: Expression, right: Expression): Expression {
  return { node: 'CompareOperation', left, op: '==', right, ...nowhere };
}

/** `SELECT … FROM table`. */
export function selectFrom(table: string, select: Expression[]): SelectQuery {
  return {
    node: 'SelectQuery',
    select,
    select_from: { node: 'JoinExpr', table: field(table), ...nowhere },
    ...nowhere,
  };
}
