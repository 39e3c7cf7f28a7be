import type { OutputColumn, Resolved, ResolvedQuery, ResolvedSelect, Source } from '../resolved.ts';

/** A query as a table. */
export type QuerySource = Source & { from: { kind: 'query' } };

/** A query as the only table of another. */
export function sourceOf(query: ResolvedQuery, alias: string): QuerySource {
  return {
    alias,
    name: undefined,
    optional: false,
    from: { kind: 'query', query },
    needed: new Map(),
    lookups: new Map(),
  };
}

/** The column of such a table at this place. */
export function columnOfSource(
  source: QuerySource,
  at: number,
  { start, end }: Pick<Resolved, 'start' | 'end'>,
): Resolved {
  const { sqlName, type } = source.from.query.columns[at] as OutputColumn;
  return { kind: 'column', source, location: { column: sqlName }, type, aggregate: false, local: true, start, end };
}

/** The SELECT of these values from such a table. */
export function selectFrom(source: Source, columns: OutputColumn[], values: readonly Resolved[]): ResolvedSelect {
  return {
    kind: 'select',
    withs: [],
    distinct: false,
    columns,
    values: [...values],
    joins: [{ type: 'FROM', source, on: undefined }],
    arrayJoin: undefined,
    where: undefined,
    groupBy: [],
    grouping: undefined,
    having: undefined,
    windows: [],
    qualify: undefined,
    orderBy: [],
    interpolate: undefined,
    limitBy: undefined,
    withTies: false,
    limit: undefined,
    offset: undefined,
  };
}
