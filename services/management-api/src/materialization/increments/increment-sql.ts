import type { ParameterValue } from '@millrace/clickhouse/query/format-parameter.ts';
import { events } from '@millrace/contracts/tables/events.ts';
import { personOverrides } from '@millrace/contracts/tables/person-overrides.ts';
import { soundTimes } from '@millrace/query-language/materialization/increments/within-buckets.ts';
import type { BuildBuckets } from '../../queries/compile/compile-table.ts';
import { bucketsMax, overridesMax } from './increment-limits.ts';

/** A statement of ours; its values are bound. */
export interface IncrementStatement {
  sql: string;
  params: Readonly<Record<string, ParameterValue>>;
}

/** The time of ClickHouse, which gives events theirs: milliseconds since 1970. */
export const presentMoment: IncrementStatement = {
  sql: 'SELECT toUnixTimestamp64Milli(now64(3)) FORMAT JSONCompact',
  params: {},
};

const isNew = "inserted_at >= toDateTime64({since:String}, 3, 'UTC')";
const moved = `FROM ${personOverrides.fullName} WHERE ${isNew} LIMIT ${overridesMax + 1}`;

/** How many overrides of persons came since; more than `overridesMax` are not counted. */
export function countOverrides(sinceMs: number): IncrementStatement {
  return { sql: `SELECT count() FROM (SELECT 1 ${moved}) FORMAT JSONCompact`, params: { since: momentText(sinceMs) } };
}

/**
 * The buckets with events that came since, and with those whose person moved since where `withPersons`: value of the stored column, first second
 * of its day, first second of the next day, and whether all those events have a sound time. Up to one more than `bucketsMax`. The engine's own
 * tables of time zones say where days begin, for they say it in the build too.
 */
export function changedBuckets(
  { unit, timeZone }: Pick<BuildBuckets, 'unit' | 'timeZone'>,
  { sinceMs, withPersons }: { sinceMs: number; withPersons: boolean },
): IncrementStatement {
  const came = `SELECT timestamp FROM ${events.fullName} WHERE ${isNew}`;
  // The key of the table has the hash, so that it spares what other people did.
  const movedSince =
    `SELECT timestamp FROM ${events.fullName} WHERE cityHash64(distinct_id) IN (SELECT cityHash64(distinct_id) ${moved})` +
    ` AND distinct_id IN (SELECT distinct_id ${moved})`;
  const changed = withPersons ? `${came} UNION ALL ${movedSince}` : came;
  return {
    sql: `SELECT toUInt32(${unit}(at)) AS bucket, toUInt32(toStartOfDay(at)) AS day, toUInt32(toStartOfDay(addHours(toStartOfDay(at), 36))) AS next,
  min(toUnixTimestamp64Milli(at) >= ${soundTimes.from}000 AND toUnixTimestamp64Milli(at) < ${soundTimes.to}000) AS is_sound
FROM (SELECT toTimeZone(timestamp, {zone:String}) AS at FROM (${changed}))
GROUP BY bucket, day, next ORDER BY bucket LIMIT ${bucketsMax + 1} FORMAT JSONCompact`,
    params: { since: momentText(sinceMs), zone: timeZone },
  };
}

/** The number of buckets that a table holds. `view`, `column`: names of ours. */
export function countBuckets(view: string, column: string): IncrementStatement {
  return {
    sql: `SELECT uniqExact(toUInt32(${column})) FROM materialized.${view} FORMAT JSONCompact`,
    params: {},
  };
}

/** The rows of a table that are of no bucket of these. */
export function otherRows(
  view: string,
  { columns, bucketColumn, buckets }: { columns: readonly string[]; bucketColumn: string; buckets: readonly number[] },
): IncrementStatement {
  const { condition, params } = notOf(bucketColumn, buckets);
  return { sql: `SELECT ${columns.join(', ')} FROM materialized.${view}${condition}`, params };
}

/** The number of buckets, these left out, in which two tables have other rows. Their order does not count. */
export function countDifferences(
  [first, second]: readonly [string, string],
  { columns, bucketColumn, buckets }: { columns: readonly string[]; bucketColumn: string; buckets: readonly number[] },
): IncrementStatement {
  const { condition, params } = notOf(bucketColumn, buckets);
  const rowsOf = (view: string, side: 1 | -1): string =>
    `SELECT toUInt32(${bucketColumn}) AS bucket, toInt64(${side}) AS side, reinterpretAsInt64(sipHash64(toString(tuple(${columns.join(', ')})))) AS hash ` +
    `FROM materialized.${view}${condition}`;
  return {
    sql: `SELECT countIf(rows != 0 OR hashes != 0) FROM (SELECT bucket, sum(side) AS rows, sum(side * hash) AS hashes FROM (
${rowsOf(first, 1)} UNION ALL ${rowsOf(second, -1)}
) GROUP BY bucket) FORMAT JSONCompact`,
    params,
  };
}

function notOf(
  column: string,
  buckets: readonly number[],
): { condition: string; params: IncrementStatement['params'] } {
  return buckets.length === 0
    ? { condition: '', params: {} }
    : { condition: ` WHERE toUInt32(${column}) NOT IN {buckets:Array(UInt32)}`, params: { buckets: [...buckets] } };
}

const momentText = (ms: number): string => new Date(ms).toISOString().slice(0, 23).replace('T', ' ');
