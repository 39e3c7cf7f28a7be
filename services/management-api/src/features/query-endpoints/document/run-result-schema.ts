import type { StoredVersion } from '../endpoint.ts';
import { nullableString, string, type Json } from './schema-texts.ts';

/** JSON types of columns (contract/endpoints 1), as OpenAPI 3.0 writes them. What has no one type is anything. */
const columnSchemas: Readonly<Record<string, Json>> = {
  integer: { type: 'integer', nullable: true },
  float: { type: 'number', nullable: true },
  decimal: { type: 'number', nullable: true },
  string: nullableString,
  datetime: { ...nullableString, format: 'date-time' },
  date: { ...nullableString, format: 'date' },
  // Comparisons come as 1 and 0, as ClickHouse has them; columns that are boolean there as true and false.
  boolean: {
    anyOf: [
      { type: 'boolean', nullable: true },
      { type: 'integer', enum: [0, 1], nullable: true },
    ],
  },
  array: { type: 'array', items: {}, nullable: true },
};

/** Fields of a reply whose rows are of a table. */
const tableProperties = {
  endpoint_materialized: { type: 'boolean', description: 'The rows are of the table; left out when they are not.' },
  endpoint_materialized_at: { ...string, format: 'date-time', description: 'When the rows of the table were read.' },
  endpoint_buckets: {
    type: 'object',
    additionalProperties: string,
    description: 'Columns whose times are cut to buckets in the table, and the function that does it.',
  },
};

/** Schema of a run's reply, as OpenAPI 3.0 writes it. Pure. */
export function runResult(version: StoredVersion, isMaterialized: boolean): Json {
  const { kind } = version.query as { kind: string };
  const rows = kind === 'HogQLQuery' ? rowsOf(version) : resultsOf(kind);
  return {
    type: 'object',
    properties: {
      is_cached: { type: 'boolean' },
      age_seconds: {
        type: 'integer',
        description: `How old the rows are: at most ${version.dataFreshnessSeconds} seconds.`,
      },
      ...rows,
      hasMore: { type: 'boolean' },
      warnings: {
        type: 'array',
        description: 'Parts of the query that are probably mistakes.',
        items: { type: 'object', properties: { code: string, message: string }, required: ['code', 'message'] },
      },
      name: string,
      execution_id: { ...string, format: 'uuid' },
      endpoint_version: { type: 'integer' },
      ...(isMaterialized && tableProperties),
      last_refresh: { ...string, format: 'date-time', description: 'When the rows were read.' },
      cache_target_age: { ...string, format: 'date-time', description: 'When the rows are too old.' },
      path: {
        ...string,
        enum: ['inline', 'materialized', 'materialized_fallback'],
        description:
          'What answered: the query, its table, or the query because the table could not be read; with debug.',
      },
      row_count: { type: 'integer' },
      statistics: {
        type: 'object',
        properties: {
          elapsed: { type: 'number', description: 'Seconds.' },
          rows_read: { type: 'integer' },
          bytes_read: { type: 'integer' },
        },
      },
    },
    required: [...Object.keys(rows).filter((name) => name !== 'types'), 'hasMore'],
  };
}

/** Rows are arrays in the order of the columns, which OpenAPI 3.0 cannot say place by place: `x-row` names each with its type. */
function rowsOf({ columns }: StoredVersion): Json {
  const row = (columns as unknown as { name: string; type: string }[]).map(({ name, type }) => ({
    name,
    ...(columnSchemas[type] ?? {}),
  }));
  return {
    results: { type: 'array', items: { type: 'array', items: rowItems(row) }, 'x-row': row },
    columns: { type: 'array', items: string },
    types: { type: 'array', items: { type: 'array', items: string, minItems: 2, maxItems: 2 } },
  };
}

/** Results of an insight: a list of series, steps, rows or items; the bins of a funnel's times alone are an object. */
const resultsOf = (kind: string): Json => ({
  results: {
    description: `Results of a ${kind}.`,
    ...(kind === 'FunnelsQuery'
      ? {}
      : { type: 'array', items: kind === 'WebStatsTableQuery' ? {} : { type: 'object' } }),
  },
});

/** Schema of any value of a row: the distinct schemas of its columns. */
function rowItems(row: readonly ({ name: string } & Json)[]): Json {
  const schemas = new Map(row.map(({ name: _name, ...schema }) => [JSON.stringify(schema), schema]));
  if (row.length === 0 || schemas.has('{}')) return {};
  const [only, ...others] = schemas.values();
  return others.length === 0 ? (only ?? {}) : { anyOf: [...schemas.values()] };
}
