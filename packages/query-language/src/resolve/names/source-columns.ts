import type { OutputColumn, ResolvedQuery, Source } from '../../resolved.ts';

/** The names of a source's columns. */
export function columnNames(source: Source): string[] {
  const { from } = source;
  if (from.kind === 'table') return Object.keys(from.table.fields);
  if (from.kind === 'numbers') return ['number'];
  return queryOf(from).columns.map((column) => column.name);
}

/** The names of the columns that `*` shows. */
export function starNames(source: Source): string[] {
  const { from } = source;
  if (from.kind !== 'table') return columnNames(source);
  return Object.entries(from.table.fields).flatMap(([name, field]) =>
    field.kind === 'group' || (field.kind === 'column' && field.explicit) ? [] : [name],
  );
}

/** Does this source have a column of this name? */
export function hasColumn(source: Source, name: string): boolean {
  if (source.from.kind === 'table') return Object.hasOwn(source.from.table.fields, name);
  if (source.from.kind === 'numbers') return name === 'number';
  return columnsNamed(queryOf(source.from), name).length > 0;
}

/** The query of a source that is one. */
export function queryOf(from: Source['from'] & { kind: 'query' | 'cte' }): ResolvedQuery {
  return from.kind === 'query' ? from.query : from.cte.query;
}

// Wide sub-queries are not gone through at each mention of a column.
const known = new WeakMap<readonly OutputColumn[], ReadonlyMap<string, readonly OutputColumn[]>>();

/** The columns of a query that have this name. */
export function columnsNamed({ columns }: ResolvedQuery, name: string): readonly OutputColumn[] {
  const byName = known.get(columns) ?? Map.groupBy(columns, (column) => column.name);
  known.set(columns, byName);
  return byName.get(name) ?? [];
}
