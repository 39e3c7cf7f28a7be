import { QueryFault } from './query-error.ts';
import { call, type Resolved, type ResolvedCte, type ResolvedQuery, type ResolvedSet } from './resolved.ts';
import { Scope } from './scope.ts';
import type { SelectSetQuery } from './tree.ts';
import { nullable, plain, type ValueType } from './types.ts';

/**
 * Resolves a CTE of WITH RECURSIVE: the first part gives the rows to begin with, the others read those of the step before.
 * The engine ends it after 1,000 steps; time, memory and rows are bounded as of every query.
 */
export function resolveRecursive(name: string, set: SelectSetQuery, scope: Scope): { kind: 'cte' } & ResolvedCte {
  const other = set.subsequent_select_queries.find((member) => member.set_operator !== 'UNION ALL');
  if (other) throw new QueryFault('not_supported', `The parts of a recursive query are joined by UNION ALL; ${other.set_operator.replace(' DISTINCT', '')} is not possible there`, other);
  if (set.limit ?? set.offset) throw new QueryFault('not_supported', 'LIMIT and OFFSET are not possible behind the parts of a recursive query; give them where it is read', set.limit ?? set);
  const { resolution } = scope;
  const first = wide(resolution.resolveQuery(set.initial_select_query, scope));
  const columns = first.columns.map((column) => ({ ...column, type: nullable(column.type) }));
  const query: ResolvedSet = { kind: 'set', withs: [], columns, members: [first], operators: [], limit: undefined, offset: undefined };
  const cte: { kind: 'cte' } & ResolvedCte = { kind: 'cte', name: resolution.freshName('w'), query, recursive: true };
  const inside = new Scope(resolution, scope);
  inside.ctes.set(name, cte);
  for (const { select_query: part } of set.subsequent_select_queries) {
    const member = resolution.resolveQuery(part, inside);
    if (member.columns.length !== columns.length) throw new QueryFault('type_mismatch', `The parts of "${name}" have ${columns.length} and ${member.columns.length} columns`, part);
    query.members.push(member);
    query.operators.push('UNION ALL');
  }
  return cte;
}

// The first part settles the types: a 1 to begin with must not make the column one of small numbers.
function wide(query: ResolvedQuery): ResolvedQuery {
  return query.kind === 'select' ? { ...query, values: query.values.map(wideNumber) } : query;
}

const widest: Partial<Record<ValueType['kind'], string>> = { integer: 'toInt64', float: 'toFloat64' };

function wideNumber(value: Resolved): Resolved {
  const convert = widest[value.type.kind];
  return convert === undefined ? value : call(convert, [value], plain(value.type.kind, value.type.nullable), value, { aggregate: value.aggregate });
}
