import type { Alias, Call, Expression } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import { findFunction } from '../../functions/find-function.ts';
import { SpanError } from '../../query-error.ts';
import { aggregatesIn } from '../selects/aggregates.ts';
import { aliasIn, outputName, valueOf } from '../selects/select-shape.ts';
import { isNoQuery, nodesOf } from '../selects/walk.ts';

/** Aggregates of which the value follows from the set of rows: not from their order, nor from how they are split among threads. */
const exactAggregates: ReadonlySet<string> = new Set(['count', 'uniqExact']);
/** The same but for floats: their sums depend on the order, and so do NaN and the sign of zero as the least or greatest. */
const exactButFloats: ReadonlySet<string> = new Set(['sum', 'min', 'max']);

/**
 * Names of the columns that two builds of the same rows must agree in, but for those of which the type turns out to be a float. A sum, or a
 * least or greatest value, is among them only where it is the column itself: inside an expression nobody sees its type. None where HAVING asks an
 * aggregate that may differ, for then rows may. Pure.
 */
export function exactColumns(query: SelectQuery): string[] {
  if (query.having && !isExact(query.having, query, new Set(), false)) return [];
  return query.select.flatMap((item) => {
    const name = outputName(item);
    return name !== undefined && isExact(valueOf(item), query, new Set(), true) ? [name] : [];
  });
}

/** `isColumn`: the type of the column is that of the expression. */
function isExact(expr: Expression, query: SelectQuery, seen: ReadonlySet<string>, isColumn: boolean): boolean {
  if (aggregatesIn(expr).some((call) => !isExactCall(call, isColumn && call === expr))) return false;
  for (const node of nodesOf(expr, isNoQuery)) {
    const [name = ''] = node.node === 'Field' ? node.chain : [];
    const alias = seen.has(name) ? undefined : aliasOf(query, name);
    if (alias && !isExact(alias.expr, query, new Set([...seen, name]), isColumn && node === expr)) return false;
  }
  return true;
}

/** The alias of this name, also one inside an expression of the SELECT list. */
function aliasOf(query: SelectQuery, name: string): Alias | undefined {
  const inner = (): Alias | undefined =>
    query.select
      .flatMap((item) => [...nodesOf(item, isNoQuery)])
      .find((node): node is Alias => node.node === 'Alias' && node.alias === name);
  return aliasIn(query, name) ?? inner();
}

function isExactCall(call: Call, isColumn: boolean): boolean {
  try {
    const found = findFunction(call);
    const name = found?.kind === 'aggregate' ? found.signature.clickhouse : '';
    return exactAggregates.has(name) || (isColumn && exactButFloats.has(name));
  } catch (error) {
    if (error instanceof SpanError) return false;
    throw error;
  }
}
