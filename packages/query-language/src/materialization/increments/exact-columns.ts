import type { Call, Expression } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import { findFunction } from '../../functions/find-function.ts';
import { SpanError } from '../../query-error.ts';
import { aggregatesIn } from '../selects/aggregates.ts';
import { aliasIn, outputName, valueOf } from '../selects/select-shape.ts';
import { isNoQuery, nodesOf } from '../selects/walk.ts';

/** Aggregates of which the value follows from the set of rows: not from their order, nor from how they are split among threads. */
const exactAggregates: ReadonlySet<string> = new Set(['count', 'min', 'max', 'uniqExact', 'sum']);

/**
 * Names of the columns that two builds of the same rows must agree in. Sums of floats are among them: whether a sum is one is in its type.
 * None where HAVING asks an aggregate that may differ, for then rows may. Pure.
 */
export function exactColumns(query: SelectQuery): string[] {
  if (query.having && !isExact(query.having, query, new Set(), false)) return [];
  return query.select.flatMap((item) => {
    const name = outputName(item);
    return name !== undefined && isExact(valueOf(item), query, new Set(), true) ? [name] : [];
  });
}

/** `sums`: sums count as exact. */
function isExact(expr: Expression, query: SelectQuery, seen: ReadonlySet<string>, sums: boolean): boolean {
  if (aggregatesIn(expr).some((call) => !isExactCall(call, sums))) return false;
  for (const node of nodesOf(expr, isNoQuery)) {
    const [name = ''] = node.node === 'Field' ? node.chain : [];
    const alias = seen.has(name) ? undefined : aliasIn(query, name);
    if (alias && !isExact(alias.expr, query, new Set([...seen, name]), sums)) return false;
  }
  return true;
}

function isExactCall(call: Call, sums: boolean): boolean {
  try {
    const found = findFunction(call);
    const name = found?.kind === 'aggregate' ? found.signature.clickhouse : '';
    return exactAggregates.has(name) && (sums || name !== 'sum');
  } catch (error) {
    if (error instanceof SpanError) return false;
    throw error;
  }
}
