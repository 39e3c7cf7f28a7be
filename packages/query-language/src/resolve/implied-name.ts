import { spend } from '../budget.ts';
import type { ListedColumn } from '../tree.ts';

const charactersPerUnit = 8;

/** The column name of an expression without an alias: a field's last part, else its text. Throws `query_too_large`. */
export function impliedName(expr: ListedColumn, text: string): string {
  if (expr.node === 'Field') return expr.chain[expr.chain.length - 1] ?? '';
  if (expr.node === 'ArrayAccess' && expr.property.node === 'Constant' && typeof expr.property.value === 'string') return expr.property.value;
  const { start, end } = expr.written ?? expr;
  // A column of a sub-query is a part of the columns around it, each of which has a name that long.
  spend(Math.ceil((end - start) / charactersPerUnit), expr);
  return text.slice(start, end).replace(/\s+/g, ' ').trim();
}
