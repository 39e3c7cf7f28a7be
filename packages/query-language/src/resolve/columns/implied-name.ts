import { spend } from '../../budget.ts';
import type { ListedColumn } from '../../tree/expressions.ts';

const charactersPerUnit = 4;

/** The column name of an expression without an alias: a field's last part, else the text that was written. Throws `query_too_large`. */
export function impliedName(expr: ListedColumn): string {
  if (expr.node === 'Field') return expr.chain[expr.chain.length - 1] ?? '';
  if (expr.node === 'ArrayAccess' && expr.property.node === 'Constant' && typeof expr.property.value === 'string')
    return expr.property.value;
  const { written = '' } = expr;
  // A column of a sub-query is a part of the columns around it, each of which has a name that long.
  spend(Math.ceil(written.length / charactersPerUnit), expr);
  return written.replace(/\s+/g, ' ').trim();
}
