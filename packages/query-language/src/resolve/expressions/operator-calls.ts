import type { Call, CompareOperator, Expression } from '../../tree/expressions.ts';
import { argumentCountError } from '../../functions/scalar-calls.ts';

const comparisons: Readonly<Record<string, CompareOperator>> = {
  equals: '==',
  notequals: '!=',
  less: '<',
  lessorequals: '<=',
  greater: '>',
  greaterorequals: '>=',
  like: 'like',
  notlike: 'not like',
  ilike: 'ilike',
  notilike: 'not ilike',
  in: 'in',
  notin: 'not in',
};

/** `equals(a, b)`, `in(a, b)`, `and(a, b)` and their like as operators; other calls unchanged. Throws `wrong_arguments`. */
export function operatorCall(node: Call): Expression {
  const name = node.name.toLowerCase();
  const { args, start, end } = node;
  if (name === 'and' || name === 'or') {
    if (args.length === 0) throw argumentCountError(node, 1, Infinity);
    return { node: name === 'and' ? 'And' : 'Or', exprs: args, start, end };
  }
  const op = Object.hasOwn(comparisons, name) ? comparisons[name] : undefined;
  if (op === undefined) return node;
  const [left, right] = args;
  if (!left || !right || args.length > 2) throw argumentCountError(node, 2, 2);
  return { node: 'CompareOperation', op, left, right, start, end };
}
