import { columnOfSource, selectFrom, sourceOf } from '../operators/around-query.ts';
import { asList, isLearnedList, readByType } from '../operators/learned-types.ts';
import type { Resolved, ResolvedQuery } from '../resolved.ts';
import type { Resolution } from './names/scope.ts';

/**
 * The query whose result is shown: properties that nothing has decided about are read by their learned types, and lists are lists.
 * The engine compares no lists of mixed items, so rows that are compared are read from outside.
 */
export function shownColumns(query: ResolvedQuery, resolution: Resolution): ResolvedQuery {
  const isCompared = query.kind === 'set' || query.distinct;
  if (isCompared && query.columns.some(({ type }) => isLearnedList(type))) return around(query, resolution);
  if (query.kind === 'set') return query;
  const values = query.values.map(shown);
  return { ...query, values, columns: columnsOf(query, values) };
}

function around(query: ResolvedQuery, resolution: Resolution): ResolvedQuery {
  // Rows with ties are counted where they are sorted.
  const isCut = query.kind === 'select' && query.withTies;
  const source = sourceOf(isCut ? query : { ...query, limit: undefined, offset: undefined }, resolution.freshName('t'));
  const values = query.columns.map((_, at) => shown(columnOfSource(source, at, { start: 0, end: 0 })));
  const limits = isCut ? {} : { limit: query.limit, offset: query.offset };
  return { ...selectFrom(source, columnsOf(query, values), values), ...limits };
}

function columnsOf({ columns }: ResolvedQuery, values: readonly Resolved[]): ResolvedQuery['columns'] {
  return columns.map((column, at) => {
    const { type } = values[at] as Resolved;
    return type.learned || isLearnedList(column.type) ? { ...column, type } : column;
  });
}

function shown(value: Resolved): Resolved {
  return asList(readByType(value));
}
