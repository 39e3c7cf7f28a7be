import {
  Array as ArrayType,
  Boolean,
  Integer,
  Number,
  Object as ObjectType,
  Optional,
  Record,
  String as StringType,
  Tuple,
  Unknown,
  type Static,
} from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import { endpointExample as example } from '../endpoint-example.ts';
import type { Read } from '../../../queries/result/result-bytes.ts';
import { RunWarnings } from '../../../queries/result/run-warnings.ts';

const timestamp = StringType({ format: 'date-time' });
const typesOfExample = [
  ['size', 'Nullable(String)'],
  ['signups', 'UInt64'],
];

/** Cost of a run in ClickHouse; 0 for a cached result. */
const RunStatistics = ObjectType(
  {
    elapsed: Number({ description: 'Seconds.', examples: [0.004] }),
    rows_read: Integer({ examples: [1] }),
    bytes_read: Integer({ examples: [96] }),
  },
  { title: 'EndpointRunStatistics', description: 'What ClickHouse read for these rows; 0 when they are cached.' },
);

const dates = ObjectType(
  { date_from: timestamp, date_to: timestamp },
  { title: 'ResolvedDateRange', description: 'Of an insight; with `debug`.' },
);

/**
 * Reply of a run (spec 2, contract/endpoints 4.4). Keys up to `types` are sent in this order. `results` holds each row as an array in
 * the order of `columns`.
 */
export const RunResult = ObjectType(
  {
    is_cached: Boolean(),
    age_seconds: Integer({
      description: 'Age of the rows, in whole seconds; 0 when a query computed them for this run.',
      examples: [0],
    }),
    results: ArrayType(ArrayType(Unknown()), { examples: [[['3', 1]]] }),
    columns: ArrayType(StringType(), { examples: [['size', 'signups']] }),
    types: ArrayType(Tuple([StringType(), StringType()]), {
      description: 'Pairs of column and engine type.',
      examples: [typesOfExample],
    }),
    name: StringType({ examples: [example.name] }),
    execution_id: StringType({ format: 'uuid' }),
    endpoint_version: Integer(),
    endpoint_version_created_at: timestamp,
    hasMore: Boolean({ description: 'There are more rows than these.' }),
    warnings: RunWarnings,
    limit: Optional(Integer()),
    offset: Optional(Integer()),
    endpoint_materialized: Optional(Boolean({ description: 'The rows are from the table of the version.' })),
    endpoint_materialized_at: Optional(
      StringType({ format: 'date-time', description: 'When the rows of the table were read.' }),
    ),
    endpoint_buckets: Optional(
      Record(StringType(), StringType(), {
        description: 'Columns whose bounds are rounded down to a bucket, and the function that does it.',
      }),
    ),
    query: nullable(StringType({ description: 'The SQL that was run.', examples: [example.query.query] })),
    last_refresh: timestamp,
    cache_target_age: StringType({ format: 'date-time', examples: ['2026-01-03T03:04:05Z'] }),
    next_allowed_client_refresh: timestamp,
    timezone: StringType({ examples: ['Europe/Berlin'] }),
    query_status: nullable(StringType()),
    query_metadata: nullable(StringType()),
    error: nullable(StringType()),
    row_count: Integer({ description: 'Number of rows in `results`.' }),
    statistics: RunStatistics,
    client_query_id: Optional(StringType()),
    cache_key: Optional(StringType({ description: 'Names the result in caches; with `debug`.' })),
    path: Optional(
      StringType({
        description:
          '`inline`, `materialized` or `materialized_fallback`: the rows are of the query, of its table, or of the query because the table could not be read; with `debug`.',
      }),
    ),
    hogql: Optional(StringType({ description: 'The SQL of the version, or that on its table; with `debug`.' })),
    clickhouse: Optional(
      StringType({ description: 'The SQL that ClickHouse got, unless the rows are cached; with `debug`.' }),
    ),
    timings: Optional(ArrayType(ObjectType({ k: StringType(), t: StringType({ description: 'Seconds.' }) }))),
    resolved_date_range: Optional(dates),
    resolved_compare_date_range: Optional(dates),
  },
  { title: 'EndpointRunResult' },
);

const { types: _types, ...factsOfRun } = RunResult.properties;

/** Reply with `format=objects`: each row is an object of its columns. */
export const RunObjects = ObjectType(
  { ...factsOfRun, results: ArrayType(Record(StringType(), Unknown()), { examples: [[{ size: '3', signups: 1 }]] }) },
  { title: 'EndpointRunObjects' },
);

const { columns: _columns, ...factsOfInsight } = factsOfRun;

/** Reply of an insight that is no table: its results have the form of its kind, and no columns (contract/insights 1.3). */
export const RunInsight = ObjectType(
  {
    ...factsOfInsight,
    results: Unknown({ description: 'Series, steps, rows or items, as the kind of the insight has them.' }),
  },
  { title: 'EndpointRunInsight' },
);

type RunResult = Static<typeof RunResult>;
/** Members about the age of the rows; they come first in the reply. */
export type RunAge = Pick<RunResult, 'is_cached' | 'age_seconds'>;
/** All other members, without the rows and their columns. */
export type RunFacts = Omit<RunResult, keyof RunAge | 'results' | 'columns' | 'types'>;

/** Fields of the reply about its rows. Pure. */
export function rowFacts(rowCount: number, read: Read | undefined): Pick<RunFacts, 'row_count' | 'statistics'> {
  return {
    row_count: rowCount,
    statistics: { elapsed: read?.seconds ?? 0, rows_read: read?.rows ?? 0, bytes_read: read?.bytes ?? 0 },
  };
}
