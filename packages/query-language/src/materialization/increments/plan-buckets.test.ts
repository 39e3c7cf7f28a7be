import { describe, expect, test } from '@jest/globals';
import { compileStored } from '../../compile.ts';
import { parseSelect } from '../../parse.ts';
import { writeStatement } from '../../write/write-statement.ts';
import { planMaterialization } from '../plan-materialization.ts';
import type { PlannedVariable } from '../plan.ts';
import { planBuckets } from './plan-buckets.ts';
import { withinBuckets, type Bucket } from './within-buckets.ts';

const variables: PlannedVariable[] = [
  { name: 'plan', type: 'String' },
  { name: 'from', type: 'Date' },
  { name: 'to', type: 'Date' },
];

function bucketsOf(text: string) {
  const planned = planMaterialization(
    parseSelect(text),
    variables.filter(({ name }) => text.includes(`{variables.${name}}`)),
    null,
  );
  if (!planned.ok) throw new Error(planned.refusal.reason);
  return planBuckets(planned.plan.build);
}

function plannedOf(text: string) {
  const found = bucketsOf(text);
  if ('whole' in found) throw new Error(found.whole);
  return found.buckets;
}

const day = (value: number): Bucket => ({ value, from: value, to: value + 86_400 });
const newYear = Date.UTC(2026, 0, 1) / 1000;
const twoDays = [day(newYear), day(newYear + 86_400)];
const elsewhere = "timestamp < '1970-02-01T00:00:00Z' OR timestamp >= '2100-01-01T00:00:00Z'";

describe('a build can be done again for some of its buckets (contract/endpoints 6.3)', () => {
  test.each<[promise: string, query: string, column: string, unit: string]>([
    [
      'a day in the SELECT list',
      'SELECT toStartOfDay(timestamp) AS day, count() AS n FROM events GROUP BY day',
      'day',
      'toStartOfDay',
    ],
    ['a date', 'SELECT toDate(timestamp), any(event) AS e FROM events GROUP BY 1', 'toDate(timestamp)', 'toDate'],
    [
      'an hour, by the name of the table',
      'SELECT toStartOfHour(e.timestamp) AS h, uniq(person_id) FROM events AS e GROUP BY h',
      'h',
      'toStartOfHour',
    ],
    ['dateTrunc', "SELECT dateTrunc('hour', timestamp) AS h, count() FROM events GROUP BY ALL", 'h', 'toStartOfHour'],
    [
      'a bound that is a variable: the plan cuts it to days',
      'SELECT event, count() AS n FROM events WHERE timestamp >= {variables.from} AND timestamp < {variables.to} GROUP BY event',
      'from',
      'toStartOfDay',
    ],
    [
      'the longest of several',
      'SELECT toStartOfHour(timestamp) AS h, toDate(timestamp) AS d, count() FROM events GROUP BY h, d HAVING count() > 2 ORDER BY d',
      'd',
      'toDate',
    ],
    [
      'a variable beside it',
      'SELECT toDate(timestamp) AS d, quantile(0.9)(properties.price) AS p FROM events WHERE event = {variables.plan} GROUP BY d ORDER BY d LIMIT 5',
      'd',
      'toDate',
    ],
  ])('%s', (_promise, query, column, unit) => {
    expect(bucketsOf(query)).toMatchObject({ buckets: { column, unit } });
  });

  test.each<[why: string, query: string]>([
    ['it reads something else than events', 'SELECT toDate(created_at) AS d, count() FROM persons GROUP BY d'],
    [
      'it reads something else than events',
      'SELECT toDate(timestamp) AS d, count() FROM events JOIN persons ON persons.id = events.person_id GROUP BY d',
    ],
    [
      'it reads something else than events',
      'SELECT toDate(timestamp) AS d, count() FROM (SELECT timestamp FROM events) GROUP BY d',
    ],
    [
      'it reads something else than events',
      'SELECT toDate(created_at) AS d, count() FROM persons AS events GROUP BY d',
    ],
    [
      'it reads something else than events',
      'SELECT toDate(events.timestamp) AS d, count() FROM (SELECT created_at AS timestamp FROM persons) AS events GROUP BY d',
    ],
    [
      'it reads something else than events',
      'SELECT toDate(e.timestamp) AS d, count() FROM events AS e JOIN persons AS events ON events.id = e.person_id GROUP BY d',
    ],
    [
      'it has ctes',
      'WITH events AS (SELECT created_at AS timestamp FROM persons) SELECT toDate(timestamp) AS d, count() FROM events GROUP BY d',
    ],
    ['it has ctes', 'WITH t AS (SELECT 1 AS x) SELECT toDate(timestamp) AS d, count() FROM events GROUP BY d'],
    [
      'it has a sub-query',
      'SELECT toDate(timestamp) AS d, count() FROM events WHERE distinct_id IN (SELECT distinct_id FROM events) GROUP BY d',
    ],
    ['it has a window', 'SELECT toDate(timestamp) AS d, sum(count()) OVER (ORDER BY d) FROM events GROUP BY d'],
    [
      'it looks at the clock or at chance',
      'SELECT toDate(timestamp) AS d, count() FROM events WHERE timestamp > now() - INTERVAL 7 DAY GROUP BY d',
    ],
    [
      'it looks at the clock or at chance',
      'SELECT toDate(timestamp) AS d, countIf(timestamp > today()) FROM events GROUP BY d',
    ],
    ['it has a placeholder', 'SELECT toDate(timestamp) AS d, count() FROM events WHERE {filters} GROUP BY d'],
    ['it has limit', 'SELECT toDate(timestamp) AS d, count() FROM events GROUP BY d ORDER BY d LIMIT 5'],
    [
      'it has limit_by',
      'SELECT toDate(timestamp) AS d, event, count() AS n FROM events GROUP BY d, event ORDER BY n LIMIT 1 BY event',
    ],
    ['it has distinct', 'SELECT DISTINCT toDate(timestamp) AS d, count() FROM events GROUP BY d'],
    ['it has array_join_list', 'SELECT toDate(timestamp) AS d, count() FROM events ARRAY JOIN [1, 2] AS a GROUP BY d'],
    ['it does not group by keys alone', 'SELECT toDate(timestamp) AS d, count() FROM events GROUP BY d WITH ROLLUP'],
    ['it does not group by keys alone', 'SELECT count() FROM events'],
    ['it does not group by keys alone', 'SELECT timestamp FROM events'],
    ['it is a set of queries', 'SELECT 1 AS d UNION ALL SELECT 2'],
    [
      'it calls something else timestamp',
      'SELECT toDate(timestamp) AS timestamp, count() FROM events GROUP BY timestamp',
    ],
    ['it calls something else e', 'SELECT toDate(e.timestamp) AS d, max(event) AS e FROM events AS e GROUP BY d'],
    [
      'it stores no bucket of timestamp that it groups by',
      'SELECT event, count() FROM events GROUP BY event, toDate(timestamp)',
    ],
    [
      'it stores no bucket of timestamp that it groups by',
      "SELECT toDate(timestamp, 'Asia/Tokyo') AS d, count() FROM events GROUP BY d",
    ],
    [
      'it stores no bucket of timestamp that it groups by',
      'SELECT toDate(created_at) AS d, count() FROM events GROUP BY d',
    ],
    [
      'it stores no bucket of timestamp that it groups by',
      'SELECT toStartOfWeek(timestamp) AS w, count() FROM events GROUP BY w',
    ],
  ])('not where %s: %s', (whole, query) => {
    expect(bucketsOf(query)).toEqual({ whole });
  });
});

describe('the build of some buckets', () => {
  test.each<[promise: string, query: string, buckets: Bucket[], written: string]>([
    [
      'has the buckets, and the times that they are in, beside its own conditions',
      "SELECT toStartOfDay(timestamp) AS day, count() AS n FROM events WHERE event = 'a' OR event = 'b' GROUP BY day",
      twoDays,
      `SELECT toStartOfDay(timestamp) AS day, count() AS n FROM events WHERE (event = 'a' OR event = 'b') AND (timestamp >= '2026-01-01T00:00:00Z' AND timestamp < '2026-01-03T00:00:00Z' OR ${elsewhere}) AND toStartOfDay(timestamp) IN ('2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z') GROUP BY day`,
    ],
    [
      'names dates as dates',
      'SELECT toDate(timestamp) AS d, count() FROM events GROUP BY d',
      [{ value: 20_454, from: newYear - 3_600, to: newYear + 82_800 }],
      `SELECT toDate(timestamp) AS d, count() FROM events WHERE (timestamp >= '2025-12-31T23:00:00Z' AND timestamp < '2026-01-01T23:00:00Z' OR ${elsewhere}) AND toDate(timestamp) IN ('2026-01-01',) GROUP BY d`,
    ],
    [
      'puts ranges together that overlap, in whatever order the buckets come',
      'SELECT toStartOfHour(timestamp) AS h, count() AS n FROM events GROUP BY h',
      [
        { value: newYear + 200_000, from: newYear + 172_800, to: newYear + 259_200 },
        { value: newYear + 3_600, from: newYear, to: newYear + 86_400 },
        { value: newYear, from: newYear, to: newYear + 86_400 },
      ],
      `SELECT toStartOfHour(timestamp) AS h, count() AS n FROM events WHERE (timestamp >= '2026-01-01T00:00:00Z' AND timestamp < '2026-01-02T00:00:00Z' OR timestamp >= '2026-01-03T00:00:00Z' AND timestamp < '2026-01-04T00:00:00Z' OR ${elsewhere}) AND toStartOfHour(timestamp) IN ('2026-01-03T07:33:20Z', '2026-01-01T01:00:00Z', '2026-01-01T00:00:00Z') GROUP BY h`,
    ],
  ])('%s', (_promise, query, buckets, written) => {
    const build = withinBuckets(plannedOf(query), buckets);
    expect(writeStatement(build)).toBe(written);
  });

  test('compares the column of time itself, so that the engine finds it by its primary key', () => {
    const build = withinBuckets(
      plannedOf('SELECT event, count() AS n FROM events WHERE timestamp >= {variables.from} GROUP BY event'),
      [day(newYear)],
    );
    const { sql, params } = compileStored(build, { timeZone: 'Europe/Vienna' });
    expect(sql).toContain('greaterOrEquals(`__t0`.`timestamp`, {p');
    expect(Object.values(params)).toContainEqual(['2026-01-01 00:00:00.000000']);
  });
});

describe('columns in which two builds of the same events agree', () => {
  test.each<[query: string, columns: string[]]>([
    [
      'SELECT toDate(timestamp) AS d, event, count() AS n, any(event) AS some, concat(some, event) AS more, uniq(event) AS few, uniqExact(event) AS all, max(event) AS last FROM events GROUP BY d, event',
      ['d', 'event', 'n', 'all', 'last'],
    ],
    ['SELECT toDate(timestamp) AS d, count() AS n FROM events GROUP BY d HAVING n > 1', ['d', 'n']],
    ['SELECT toDate(timestamp) AS d, count() AS n FROM events GROUP BY d HAVING sum(properties.x) > 1', []],
    ['SELECT toDate(timestamp) AS d, any(event) AS some FROM events GROUP BY d HAVING some = 1', []],
    ['SELECT toDate(timestamp) AS d, count() AS n FROM events GROUP BY d HAVING max(properties.x) > 1', []],
    // Whether a sum is of floats is in its type, and only where it is the column.
    [
      'SELECT toDate(timestamp) AS d, sum(properties.x) AS s, toInt(sum(properties.x)) AS i, round(s) AS r, s > 5 AS b, toString(s) AS t, toDecimal(sum(properties.x), 2) AS e, if(sum(1) > 2, 1, 2) AS o FROM events GROUP BY d',
      ['d', 's'],
    ],
    [
      'SELECT toDate(timestamp) AS d, max(toFloat(properties.x)) AS m, m > 5 AS b, toInt(min(properties.x)) AS i, count() + uniqExact(event) AS n FROM events GROUP BY d',
      ['d', 'm', 'n'],
    ],
    [
      'SELECT toDate(timestamp) AS d, concat(toString(sum(properties.x) AS s), event) AS a, toInt(s) AS i, count() AS n FROM events GROUP BY d, event',
      ['d', 'n'],
    ],
    [
      'SELECT toDate(timestamp) AS d, avg(properties.x) AS a, toInt(avg(properties.x)) AS i, median(properties.x) AS q, toInt(quantile(0.9)(properties.x)) AS p, any(event) AS y, argMax(event, timestamp) AS l, groupArray(event) AS g, length(groupArray(event)) AS h, first_value(event) AS f, anyLast(event) AS z, groupUniqArray(event) AS u, topK(3)(event) AS k, uniq(event) AS w, sumMap(map(event, 0.1)) AS v FROM events GROUP BY d',
      ['d'],
    ],
  ])('%s', (query, columns) => {
    expect(plannedOf(query).exact).toEqual(columns);
  });
});
