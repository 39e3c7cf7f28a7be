import {
  Array as ArrayType,
  Boolean,
  Integer,
  Number as NumberType,
  Object as ObjectType,
  Optional,
  String as StringType,
  Tuple,
  Unknown,
} from 'typebox';
import { nullable } from '@millrace/http/nullable.ts';
import type { BytesReply } from '@millrace/http/replies/reply.ts';
import type { ExecutedQuery } from '../../queries/execute/execute-query.ts';
import { rowsReply } from '../../queries/result/rows-reply.ts';
import { RunWarnings, shownWarnings } from '../../queries/result/run-warnings.ts';

/** The query of the examples. */
export const sqlExample = 'SELECT event, count() AS events FROM events GROUP BY event ORDER BY events DESC LIMIT 10';
const engineSqlExample =
  'SELECT `__t0`.`event` AS `event`, count() AS `events` FROM analytics.events AS `__t0` GROUP BY `__t0`.`event` ORDER BY `events` DESC LIMIT 10';
const typesOfExample = [
  ['event', 'String'],
  ['events', 'UInt64'],
];

/** Rows of a query that is not saved, as the product's command line reads them (contract/clients B9). */
export const QueryResult = ObjectType(
  {
    results: ArrayType(ArrayType(Unknown()), { examples: [[['signed_up', 1]]] }),
    columns: ArrayType(StringType(), { examples: [['event', 'events']] }),
    types: ArrayType(Tuple([StringType(), StringType()]), {
      description: 'Pairs of column and engine type.',
      examples: [typesOfExample],
    }),
    hasMore: Boolean({ description: 'There are more rows than these.' }),
    warnings: RunWarnings,
    limit: Integer({ description: 'Most rows of a response.', examples: [10] }),
    offset: Integer({ examples: [0] }),
    query: StringType({ examples: [sqlExample] }),
    hogql: StringType({ examples: [sqlExample] }),
    clickhouse: StringType({ description: 'The SQL of the engine.', examples: [engineSqlExample] }),
    timings: ArrayType(
      ObjectType({
        k: StringType({ examples: ['engine'] }),
        t: NumberType({ description: 'Seconds.', examples: [0.004] }),
      }),
    ),
    timezone: StringType({ examples: ['Europe/Berlin'] }),
    is_cached: Boolean(),
    last_refresh: StringType({ format: 'date-time' }),
    error: nullable(StringType()),
    client_query_id: Optional(StringType()),
  },
  { title: 'QueryResult' },
);

const {
  query: _query,
  hogql: _hogql,
  results: _results,
  columns,
  types,
  limit,
  offset,
  ...facts
} = QueryResult.properties;

/** Results of an insight that is not saved, in the form of its kind; only tables have columns and pages (contract/insights 1.3). */
export const QueryInsight = ObjectType(
  {
    results: Unknown({ description: 'Series, steps, rows or items, as the kind of the insight has them.' }),
    columns: Optional(columns),
    types: Optional(types),
    limit: Optional(limit),
    offset: Optional(offset),
    ...facts,
  },
  { title: 'QueryInsight' },
);

/** The reply around the engine's rows. Pure. */
export function renderQueryResult(
  { result, hasMore, warnings, atMs, sql, took, rowLimit }: ExecutedQuery,
  facts: { query?: string; timezone: string; client_query_id?: string },
): BytesReply {
  return rowsReply(result, {
    hasMore,
    warnings: shownWarnings(warnings, false),
    ...(facts.query !== undefined && { limit: rowLimit, offset: 0, hogql: facts.query }),
    clickhouse: sql,
    timings: Object.entries(took).map(([k, ms]) => ({ k, t: ms / 1000 })),
    is_cached: false,
    last_refresh: new Date(atMs).toISOString(),
    error: null,
    ...facts,
  });
}
