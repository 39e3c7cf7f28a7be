import type { Call, CompareOperator, Expression, Field } from '../tree/expressions.ts';
import type { Statement } from '../tree/statements.ts';

// Nodes of trees that code makes: they have no place in a text.

const at = { start: 0, end: 0 } as const;

export const field = (...chain: string[]): Field => ({ node: 'Field', chain, ...at });

/** A property of the events of FROM's first table, whatever alias has its name. */
export const eventField = (...chain: string[]): Field => ({ node: 'Field', chain, from: 0, ...at });

export const constant = (value: null | boolean | number | string): Expression => ({ node: 'Constant', value, ...at });

export const call = (name: string, ...args: Expression[]): Call => ({ node: 'Call', name, args, ...at });

/** `quantile(0.9)(x)`. */
export const callWith = (name: string, params: Expression[], ...args: Expression[]): Call => ({
  node: 'Call',
  name,
  params,
  args,
  ...at,
});

/** All of them; true for none. */
export function all(...exprs: Expression[]): Expression {
  const [only] = exprs;
  if (only === undefined) return constant(true);
  return exprs.length === 1 ? only : { node: 'And', exprs, ...at };
}

/** Any of them; false for none. */
export function any(...exprs: Expression[]): Expression {
  const [only] = exprs;
  if (only === undefined) return constant(false);
  return exprs.length === 1 ? only : { node: 'Or', exprs, ...at };
}

export const not = (expr: Expression): Expression => ({ node: 'Not', expr, ...at });

export const compare = (left: Expression, op: CompareOperator, right: Expression | Statement): Expression => ({
  node: 'CompareOperation',
  left,
  op,
  right,
  ...at,
});

export const isNull = (expr: Expression): Expression => compare(expr, '==', constant(null));

export const alias = (expr: Expression, name: string): Expression => ({ node: 'Alias', alias: name, expr, ...at });

export const list = (exprs: Expression[]): Expression => ({ node: 'Array', exprs, ...at });

export const tuple = (exprs: Expression[]): Expression => ({ node: 'Tuple', exprs, ...at });

/** The number that a value, or the text of it, is; NULL for others. */
export const asNumber = (expr: Expression): Expression => ({ node: 'ReadAs', type: 'number', expr, ...at });

/** A property as the text that is stored, whatever type the project has learned. */
export const asStored = (expr: Expression): Expression => ({ node: 'ReadAs', type: 'stored', expr, ...at });

/** A moment, `YYYY-MM-DD HH:MM:SS.ffffff` of UTC. */
export const moment = (text: string): Expression => ({
  node: 'ReadAs',
  type: 'time',
  expr: constant(`${text}Z`),
  ...at,
});

/** All rows of these statements. */
export function unionAll(statements: readonly Statement[]): Statement {
  const [first, ...others] = statements;
  if (first === undefined) throw new Error('a UNION of no statements');
  if (others.length === 0) return first;
  return {
    node: 'SelectSetQuery',
    initial_select_query: first,
    subsequent_select_queries: others.map((select_query) => ({
      node: 'SelectSetNode',
      select_query,
      set_operator: 'UNION ALL',
      ...at,
    })),
    ...at,
  };
}
