import { SpanError } from '../../query-error.ts';
import { resolveExpression } from '../expressions/resolve-expression.ts';
import type { Resolved, ResolvedArrayJoin } from '../../resolved.ts';
import { checkAlias, nameOf, unknownItem, type Scope } from '../names/scope.ts';
import type { Alias } from '../../tree/expressions.ts';
import type { SelectQuery } from '../../tree/statements.ts';
import { convertArgument } from '../../operators/convert-argument.ts';

/** Resolves ARRAY JOIN: from here on its names are known. They print as names of ours, so they can hide no column of the engine's. */
export function resolveArrayJoin(query: SelectQuery, scope: Scope): ResolvedArrayJoin | undefined {
  const { array_join_list: list } = query;
  if (!list) return undefined;
  scope.aggregatesAllowed = false;
  const items = list.map((entry) => ({ name: scope.resolution.freshName('a'), array: arrayOf(entry, scope), entry }));
  scope.aggregatesAllowed = true;
  for (const { name, array, entry } of items) {
    const alias = checkAlias(entry.alias, entry);
    if (scope.arrayItems.has(alias)) throw new SpanError('invalid_name', `ARRAY JOIN names "${alias}" twice`, entry);
    scope.arrayItems.set(alias, nameOf(name, { ...array, type: array.type.item ?? unknownItem, local: true }, entry));
    if (entry.table !== undefined) nameTable(checkAlias(entry.table, entry), alias, scope, entry);
  }
  return { left: query.array_join_op === 'LEFT ARRAY JOIN', items };
}

function arrayOf(entry: Alias, scope: Scope): Resolved {
  return convertArgument(resolveExpression(entry.expr, scope), 'array');
}

// `t.item` of `unnest(list) AS t(item)`.
function nameTable(table: string, item: string, scope: Scope, entry: Alias): void {
  if (scope.sources.some(({ name }) => name === table))
    throw new SpanError('invalid_name', `Two tables are named "${table}"; give one an alias`, entry);
  scope.unnested.set(table, (scope.unnested.get(table) ?? new Set()).add(item));
}
