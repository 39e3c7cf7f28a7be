import type { OutputColumn, Source } from '../../resolved.ts';

/** The names of a source's columns. */
export function columnNames(source: Source): string[] {
  const { from } = source;
  if (from.kind === 'table') return Object.keys(from.table.fields);
  if (from.kind === 'numbers') return ['number'];
  return columnsOf(from).map((column) => column.name);
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
  return columnsNamed(columnsOf(source.from), name).length > 0;
}

/** The columns of a source that is a query, or the stored result of one. */
export function columnsOf(from: Source['from'] & { kind: 'query' | 'cte' | 'stored' }): readonly OutputColumn[] {
  if (from.kind === 'stored') return from.rows.columns;
  return (from.kind === 'query' ? from.query : from.cte.query).columns;
}

// Wide sub-queries are not gone through at each mention of a column.
const known = new WeakMap<readonly OutputColumn[], ReadonlyMap<string, readonly OutputColumn[]>>();

/** Columns that have this name. */
export function columnsNamed(columns: readonly OutputColumn[], name: string): readonly OutputColumn[] {
  const byName = known.get(columns) ?? Map.groupBy(columns, (column) => column.name);
  known.set(columns, byName);
  return byName.get(name) ?? [];
}
