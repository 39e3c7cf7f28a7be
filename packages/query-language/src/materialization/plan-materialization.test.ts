import { describe, expect, test } from '@jest/globals';
import { compileStored, prepareStatement } from '../compile.ts';
import { parseSelect } from '../parse.ts';
import { posthogStatements } from '../testing/posthog-corpus.ts';
import { ordinaryStatements } from '../testing/ordinary-corpus.ts';
import { schemaOf } from '../testing/schema-of.ts';
import { parseStoredType } from '../stored/parse-stored-type.ts';
import type { Statement } from '../tree/statements.ts';
import type { QueryValue } from '../values.ts';
import { writeExpression, writeStatement } from '../write/write-statement.ts';
import { planMaterialization } from './plan-materialization.ts';
import type { MaterializationPlan, PlannedVariable } from './plan.ts';
import { variableOf, variablesIn } from './selects/tree-conditions.ts';

/** Declared types by how the names of variables begin, each with a value of a run; the others are texts. */
const kinds: readonly { prefix: string; type: PlannedVariable['type']; value: QueryValue }[] = [
  { prefix: 'num', type: 'Number', value: 5 },
  { prefix: 'any', type: 'Any', value: 'a' },
  { prefix: 'date', type: 'Date', value: new Date(Date.UTC(2026, 2, 1)) },
  { prefix: '', type: 'String', value: '2026-03-01' },
];

const kindOf = (name: string) => kinds.find(({ prefix }) => name.startsWith(prefix)) as (typeof kinds)[number];

function variablesOf(tree: Statement): PlannedVariable[] {
  const names = new Set(variablesIn(tree).map((node) => variableOf(node) ?? ''));
  return [...names].map((name) => ({
    name,
    type: kindOf(name).type,
  }));
}

function planOf(text: string, overrides: Readonly<Record<string, string>> | null = null): MaterializationPlan {
  const tree = parseSelect(text);
  const planned = planMaterialization(tree, variablesOf(tree), overrides);
  if (!planned.ok) throw new Error(`${planned.refusal.code}: ${planned.refusal.reason}`);
  // A plan whose build or read does not compile is none.
  const { columns } = compileStored(planned.plan.build, { values: { n: 5 } });
  const stored = columns.map(({ type, ...column }) => ({ ...column, type: parseStoredType(type) }));
  const variables = Object.fromEntries(variablesOf(tree).map(({ name }) => [name, kindOf(name).value]));
  prepareStatement(planned.plan.read('t')).print(
    { values: { n: 5 }, variables, stored: { t: { view: 'v', columns: stored } } },
    { rowsMax: 1 },
  );
  return planned.plan;
}

const textsOf = (text: string, overrides: Readonly<Record<string, string>> | null = null) => {
  const { build, read } = planOf(text, overrides);
  return [writeStatement(build), writeStatement(read('t'))];
};

describe('what is stored and what is read (contract/endpoints 6.3, 6.5)', () => {
  test.each<[promise: string, query: string, build: string, read: string]>([
    [
      'a compared column becomes one of the table, and is grouped by where the query groups',
      "SELECT event, uniq(distinct_id) AS people FROM events WHERE distinct_id = {variables.who} AND timestamp >= '2026-01-01' GROUP BY event",
      "SELECT event, uniq(distinct_id) AS people, distinct_id AS who FROM events WHERE timestamp >= '2026-01-01' GROUP BY event, distinct_id",
      'SELECT event, people FROM t WHERE who = {variables.who}',
    ],
    [
      'rows stay rows, and their times are not cut',
      'SELECT event FROM events WHERE timestamp > {variables.from}',
      'SELECT event, timestamp AS `from` FROM events',
      'SELECT event FROM t WHERE `from` > {variables.from}',
    ],
    [
      'ORDER BY, LIMIT and OFFSET are applied when it is read, by columns that are stored for that',
      'SELECT event FROM events WHERE event = {variables.x} ORDER BY lower(distinct_id) DESC NULLS FIRST, event, 1 LIMIT 5 OFFSET 2',
      'SELECT event, lower(distinct_id) AS sorted_by, event AS x FROM events',
      'SELECT event FROM t WHERE x = {variables.x} ORDER BY sorted_by DESC NULLS FIRST, event, 1 LIMIT 5 OFFSET 2',
    ],
    [
      'a function of the value is applied to it when it is read',
      'SELECT event FROM events WHERE toDate(timestamp) >= toDate({variables.day})',
      'SELECT event, toDate(timestamp) AS day FROM events',
      'SELECT event FROM t WHERE day >= toDate({variables.day})',
    ],
    [
      'a value on the left stays there',
      'SELECT event FROM events WHERE {variables.day} <= timestamp',
      'SELECT event, timestamp AS day FROM events',
      'SELECT event FROM t WHERE {variables.day} <= day',
    ],
    [
      'two comparisons of one variable are two conditions on one column',
      'SELECT event FROM events WHERE event >= {variables.x} AND event < {variables.x}',
      'SELECT event, event AS x FROM events',
      'SELECT event FROM t WHERE x >= {variables.x} AND x < {variables.x}',
    ],
    [
      'a property is stored as its text',
      'SELECT event, count() FROM events WHERE properties.plan = {variables.plan} GROUP BY event',
      'SELECT event, count(), toString(properties.plan) AS plan FROM events GROUP BY event, toString(properties.plan)',
      'SELECT event, `count()` FROM t WHERE plan = {variables.plan}',
    ],
    [
      'but as a number where one number must pick one group',
      'SELECT event, uniq(distinct_id) FROM events WHERE properties.n = {variables.num} GROUP BY event',
      'SELECT event, uniq(distinct_id), toFloat(properties.n) AS num FROM events GROUP BY event, toFloat(properties.n)',
      'SELECT event, `uniq(distinct_id)` FROM t WHERE num = {variables.num}',
    ],
    [
      'and as a time where one date must: a day is written in many ways',
      'SELECT event, uniq(distinct_id) FROM events WHERE properties.at = {variables.date} GROUP BY event',
      'SELECT event, uniq(distinct_id), toDateTime(properties.at) AS date FROM events GROUP BY event, toDateTime(properties.at)',
      'SELECT event, `uniq(distinct_id)` FROM t WHERE date = {variables.date}',
    ],
    [
      'also where the query says that the property is a text',
      'SELECT event, uniq(distinct_id) FROM events WHERE toString(properties.n) = {variables.num} GROUP BY event',
      'SELECT event, uniq(distinct_id), toFloat(toString(properties.n)) AS num FROM events GROUP BY event, toFloat(toString(properties.n))',
      'SELECT event, `uniq(distinct_id)` FROM t WHERE num = {variables.num}',
    ],
    [
      'a column that is selected under the name of the variable is the key',
      'SELECT properties.plan AS plan, count() FROM events WHERE properties.plan = {variables.plan} GROUP BY plan',
      'SELECT properties.plan AS plan, count() FROM events GROUP BY plan',
      'SELECT plan, `count()` FROM t WHERE plan = {variables.plan}',
    ],
    [
      'an alias that WHERE names is meant, not the column',
      'SELECT upper(event) AS event, uniq(distinct_id) AS n FROM events WHERE event = {variables.x} GROUP BY event',
      'SELECT upper(event) AS event, uniq(distinct_id) AS n, event AS x FROM events GROUP BY event',
      'SELECT event, n FROM t WHERE x = {variables.x}',
    ],
    [
      'a name that the query uses for something else is not taken',
      'SELECT toDate(timestamp) AS day, count() AS n FROM events WHERE timestamp < {variables.timestamp} GROUP BY day',
      'SELECT toDate(timestamp) AS day, count() AS n, toStartOfDay(timestamp) AS variable_timestamp FROM events GROUP BY day, toStartOfDay(timestamp)',
      'SELECT day, sum(n) AS n FROM t WHERE variable_timestamp < toStartOfDay({variables.timestamp}) GROUP BY day',
    ],
    [
      'a star is read without the hidden columns',
      'SELECT * FROM events WHERE event = {variables.event}',
      'SELECT *, event AS variable_event FROM events',
      'SELECT * EXCEPT (variable_event) FROM t WHERE variable_event = {variables.event}',
    ],
    [
      'columns of one name are two',
      'SELECT e.event, p.id, e.distinct_id AS event FROM events e JOIN persons p ON e.person_id = p.id WHERE p.id = {variables.who}',
      'SELECT e.event, p.id, e.distinct_id AS event_2, p.id AS who FROM events AS e JOIN persons AS p ON e.person_id = p.id',
      'SELECT event, id, event_2 AS event FROM t WHERE who = {variables.who}',
    ],
    [
      'ORDER BY means the alias before the column',
      'SELECT event, distinct_id AS event FROM events WHERE event LIKE {variables.x} ORDER BY event',
      'SELECT event, distinct_id AS event_2, event AS x FROM events',
      'SELECT event, event_2 AS event FROM t WHERE x LIKE {variables.x} ORDER BY event_2',
    ],
    [
      'what stands beside a star may be sorted by',
      'SELECT *, lower(event) AS e FROM events WHERE distinct_id = {variables.x} ORDER BY e, lower(event)',
      'SELECT *, lower(event) AS e, distinct_id AS variable_x FROM events',
      'SELECT * EXCEPT (variable_x) FROM t WHERE variable_x = {variables.x} ORDER BY e, e',
    ],
    [
      'GROUP BY ALL does not mean what is stored to sort by',
      'SELECT event, uniq(distinct_id) AS n FROM events WHERE distinct_id = {variables.x} GROUP BY ALL ORDER BY rand()',
      'SELECT event, uniq(distinct_id) AS n, rand() AS sorted_by, distinct_id AS x FROM events GROUP BY event, distinct_id',
      'SELECT event, n FROM t WHERE x = {variables.x} ORDER BY sorted_by',
    ],
    [
      'HAVING stays where one group is picked',
      'SELECT event, uniq(distinct_id) AS n FROM events WHERE distinct_id = {variables.x} GROUP BY event HAVING n > 1',
      'SELECT event, uniq(distinct_id) AS n, distinct_id AS x FROM events GROUP BY event, distinct_id HAVING n > 1',
      'SELECT event, n FROM t WHERE x = {variables.x}',
    ],
  ])('%s', (_, query, build, read) => expect(textsOf(query)).toEqual([build, read]));
});

describe('groups that are put together again (contract/endpoints 6.5)', () => {
  test.each<[promise: string, query: string, build: string, read: string]>([
    [
      'counts and sums are added, the least and the greatest are chosen',
      'SELECT event, count() AS c, sum(1) AS s, min(timestamp), max(timestamp) AS m FROM events WHERE event LIKE {variables.x} GROUP BY event',
      'SELECT event, count() AS c, sum(1) AS s, min(timestamp), max(timestamp) AS m, event AS x FROM events GROUP BY event',
      'SELECT event, sum(c) AS c, sum(s) AS s, min(`min(timestamp)`) AS `min(timestamp)`, max(m) AS m FROM t WHERE x LIKE {variables.x} GROUP BY event',
    ],
    [
      'without GROUP BY there is one row, also where nothing matches',
      'SELECT count() FROM events WHERE event = {variables.x}',
      'SELECT count(), event AS x FROM events GROUP BY event',
      'SELECT sum(`count()`) AS `count()` FROM t WHERE x = {variables.x}',
    ],
    [
      'what is computed of aggregates is computed of those that were put together, HAVING and ORDER BY too',
      "SELECT event, round(sum(1) / count(), 2) AS mean, count() AS n, n * 2 AS double FROM events WHERE timestamp >= {variables.x} GROUP BY event HAVING n > 5 AND countIf(event = 'a') < 9 ORDER BY mean DESC, max(timestamp) LIMIT 3",
      "SELECT event, round(sum(1) / count(), 2) AS mean, count() AS n, n * 2 AS double, sum(1) AS aggregate, countIf(event = 'a') AS aggregate_2, max(timestamp) AS aggregate_3, toStartOfDay(timestamp) AS x FROM events GROUP BY event, toStartOfDay(timestamp)",
      'SELECT event, round(sum(aggregate) / sum(n), 2) AS mean, sum(n) AS n, sum(n) * 2 AS double FROM t WHERE x >= toStartOfDay({variables.x}) GROUP BY event HAVING n > 5 AND sum(aggregate_2) < 9 ORDER BY mean DESC, max(aggregate_3) LIMIT 3',
    ],
    [
      'the least under a condition leaves out groups in which nothing met it',
      "SELECT minIf(timestamp, event = 'a') AS m, max(timestamp) FILTER (WHERE event = 'b') AS f FROM events WHERE event LIKE {variables.x}",
      "SELECT minIf(timestamp, event = 'a') AS m, max(timestamp) FILTER (WHERE event = 'b') AS f, countIf(event = 'a') AS counted, countIf(event = 'b') AS counted_2, event AS x FROM events GROUP BY event",
      'SELECT minIf(m, counted > 0) AS m, maxIf(f, counted_2 > 0) AS f FROM t WHERE x LIKE {variables.x}',
    ],
    [
      'keys that are not selected are stored as well',
      'SELECT count() AS n FROM events WHERE timestamp >= {variables.x} GROUP BY distinct_id, lower(event) ORDER BY lower(event)',
      'SELECT count() AS n, lower(event) AS grouped_by, distinct_id AS grouped_by_2, toStartOfDay(timestamp) AS x FROM events GROUP BY distinct_id, lower(event), toStartOfDay(timestamp)',
      'SELECT sum(n) AS n FROM t WHERE x >= toStartOfDay({variables.x}) GROUP BY grouped_by, grouped_by_2 ORDER BY grouped_by',
    ],
    [
      'keys may be aliases and places',
      'SELECT toDate(timestamp) AS day, event, count() AS n FROM events WHERE event ILIKE {variables.x} GROUP BY day, 2 ORDER BY 3 DESC',
      'SELECT toDate(timestamp) AS day, event, count() AS n, event AS x FROM events GROUP BY day, 2',
      'SELECT day, event, sum(n) AS n FROM t WHERE x ILIKE {variables.x} GROUP BY day, event ORDER BY 3 DESC',
    ],
    [
      'constants of the query stay placeholders',
      'SELECT {n} AS k, count() * {n} AS c FROM events WHERE event LIKE {variables.x} LIMIT {n}',
      'SELECT {n} AS k, count() * {n} AS c, count() AS aggregate, event AS x FROM events GROUP BY event',
      'SELECT {n} AS k, sum(aggregate) * {n} AS c FROM t WHERE x LIKE {variables.x} LIMIT {n}',
    ],
    [
      'GROUP BY ALL takes the key by itself',
      'SELECT event, count() AS n FROM events WHERE distinct_id LIKE {variables.x} GROUP BY ALL ORDER BY ALL',
      'SELECT event, count() AS n, distinct_id AS x FROM events GROUP BY ALL',
      'SELECT event, sum(n) AS n FROM t WHERE x LIKE {variables.x} GROUP BY event ORDER BY `ALL`',
    ],
    [
      'values of WITH are written in their places',
      'WITH 5 AS five, count() AS total SELECT total * five AS n FROM events WHERE timestamp >= {variables.x}',
      'WITH 5 AS five, count() AS total SELECT total * five AS n, count() AS aggregate, toStartOfDay(timestamp) AS x FROM events GROUP BY toStartOfDay(timestamp)',
      'SELECT sum(aggregate) * 5 AS n FROM t WHERE x >= toStartOfDay({variables.x})',
    ],
  ])('%s', (_, query, build, read) => {
    expect(textsOf(query)).toEqual([build, read]);
    expect(planOf(query)).toMatchObject({ isReaggregated: true, emptyMeansInline: false });
  });
});

describe('range variables and buckets (contract/endpoints 6.4)', () => {
  const pair =
    'SELECT count() AS n FROM events WHERE timestamp >= {variables.start} AND timestamp < {variables.end} AND properties.n > {variables.num}';

  test('times are cut to days, and so are the bounds; properties are not', () => {
    expect(textsOf(pair)).toEqual([
      'SELECT count() AS n, toStartOfDay(timestamp) AS start, toStartOfDay(timestamp) AS `end`, toString(properties.n) AS num FROM events GROUP BY toStartOfDay(timestamp), toString(properties.n)',
      'SELECT sum(n) AS n FROM t WHERE start >= toStartOfDay({variables.start}) AND `end` < toStartOfDay({variables.end}) AND num > {variables.num}',
    ]);
    expect(planOf(pair).rangePairs).toEqual([
      { column: 'timestamp', variables: ['start', 'end'], bucket_fn: 'toStartOfDay' },
      { column: 'properties.n', variables: ['num'], bucket_fn: null },
    ]);
  });

  test.each([
    ['minute', 'toStartOfMinute'],
    ['fifteen_minutes', 'toStartOfFifteenMinutes'],
    ['hour', 'toStartOfHour'],
    ['day', 'toStartOfDay'],
    ['week', 'toStartOfWeek'],
    ['month', 'toStartOfMonth'],
    ['decade', 'toStartOfDay'],
  ])('%s means %s, for rows and properties too', (word, name) => {
    const overrides = { timestamp: word, 'properties.at': word, unknown: 'hour' };
    expect(planOf(pair, overrides).rangePairs[0]?.bucket_fn).toBe(name);
    const rows = 'SELECT event FROM events WHERE timestamp >= {variables.x} AND properties.at < {variables.date}';
    const chosen = word === 'decade' ? null : name;
    expect(planOf(rows, overrides).rangePairs.map(({ bucket_fn }) => bucket_fn)).toEqual([chosen, chosen]);
  });

  test('a property is cut where it is compared as a time: the texts and the numbers of others are no times', () => {
    const bucketOf = (value: string) =>
      planOf(`SELECT count() AS n FROM events WHERE properties.at >= ${value}`, { 'properties.at': 'hour' })
        .rangePairs[0]?.bucket_fn;
    expect(['date', 'x', 'num', 'any'].map((name) => [name, bucketOf(`{variables.${name}}`)])).toEqual([
      ['date', 'toStartOfHour'],
      ['x', null],
      ['num', null],
      ['any', null],
    ]);
    expect(bucketOf('toDateTime({variables.x})')).toBe('toStartOfHour');
  });

  // The engine would take an hour of 2120 for one of 1983.
  test('times that the engine cannot cut are in the first or the last bucket', () => {
    const query = 'SELECT count() AS n FROM events WHERE timestamp >= {variables.x}';
    const { build } = planOf(query, { timestamp: 'hour' });
    const { sql, params } = compileStored(build, { timeZone: 'Asia/Kolkata' });
    expect(sql).toContain(
      "toStartOfHour(toTimeZone(multiIf(less(`__t0`.`timestamp`, {p0:DateTime64(6, 'UTC')}), {p0:DateTime64(6, 'UTC')}, greater(",
    );
    expect(params).toMatchObject({ p0: '1970-01-12 00:00:00.000000', p1: '2105-12-30 00:00:00.000000' });
  });

  test('what is no time is not cut, nor is a function of a time', () => {
    expect(
      textsOf(
        'SELECT count() AS n FROM events WHERE session.$session_duration >= {variables.num} AND toHour(timestamp) < {variables.num2}',
      ),
    ).toEqual([
      'SELECT count() AS n, session.$session_duration AS num, toHour(timestamp) AS num2 FROM events GROUP BY session.$session_duration, toHour(timestamp)',
      'SELECT sum(n) AS n FROM t WHERE num >= {variables.num} AND num2 < {variables.num2}',
    ]);
  });
});

describe('optional filters (contract/endpoints 6.3)', () => {
  test('a comparison, and a membership in a list of texts', () => {
    const either =
      "SELECT event, count() AS n FROM events WHERE (coalesce({variables.x}, '') = '' OR event = {variables.x}) AND (distinct_id IN splitByChar(';', {variables.y}) OR '' = coalesce({variables.y}, '')) GROUP BY event";
    expect(textsOf(either)).toEqual([
      'SELECT event, count() AS n, event AS x, distinct_id AS y FROM events GROUP BY event, distinct_id',
      "SELECT event, sum(n) AS n FROM t WHERE (coalesce({variables.x}, '') = '' OR x = {variables.x}) AND (y IN splitByChar(';', {variables.y}) OR '' = coalesce({variables.y}, '')) GROUP BY event",
    ]);
    expect(planOf(either).keys).toMatchObject([
      { variable: 'x', operators: ['=='], isOptional: true, separator: null },
      { variable: 'y', operators: ['in'], isOptional: true, separator: ';' },
    ]);
  });

  test('with an aggregate that cannot be put together the table answers each value but the empty one', () => {
    const query =
      "SELECT event, uniq(distinct_id) FROM events WHERE coalesce({variables.x}, '') = '' OR event = {variables.x} GROUP BY event";
    expect(planOf(query)).toMatchObject({ isReaggregated: false, keys: [{ isOptional: true, isPinned: true }] });
  });
});

describe('variables in a CTE, and through others (contract/endpoints 6.3)', () => {
  test.each<[promise: string, query: string, build: string, read: string]>([
    [
      'projections and the outer query pass it on',
      'WITH a AS (SELECT event FROM events WHERE distinct_id = {variables.x}), b AS (SELECT lower(event) AS e FROM a) SELECT e, avg(1) FROM b AS c GROUP BY e',
      'WITH a AS (SELECT event, distinct_id AS x FROM events), b AS (SELECT lower(event) AS e, a.x FROM a) SELECT e, avg(1), c.x FROM b AS c GROUP BY e, c.x',
      'SELECT e, `avg(1)` FROM t WHERE x = {variables.x}',
    ],
    [
      'aggregations group by it',
      'WITH a AS (SELECT event, count() AS c FROM events WHERE distinct_id = {variables.x} GROUP BY event) SELECT max(c) AS m FROM a',
      'WITH a AS (SELECT event, count() AS c, distinct_id AS x FROM events GROUP BY event, distinct_id) SELECT max(c) AS m, a.x FROM a GROUP BY a.x',
      'SELECT m FROM t WHERE x = {variables.x}',
    ],
    [
      'tables that both carry it have the same',
      'WITH a AS (SELECT event FROM events WHERE distinct_id = {variables.x}), b AS (SELECT event, count() AS c FROM a GROUP BY event), d AS (SELECT a.event AS e, c FROM a JOIN b ON a.event = b.event WHERE c > 1) SELECT e, c FROM d',
      'WITH a AS (SELECT event, distinct_id AS x FROM events), b AS (SELECT event, count() AS c, a.x FROM a GROUP BY event, a.x), d AS (SELECT a.event AS e, c, a.x FROM a JOIN b ON a.event = b.event WHERE c > 1 AND a.x = b.x) SELECT e, c, d.x FROM d',
      'SELECT e, c FROM t WHERE x = {variables.x}',
    ],
    [
      'each member of a UNION ALL has it',
      'WITH a AS (SELECT event FROM events WHERE timestamp >= {variables.x}), b AS (SELECT event FROM a UNION ALL SELECT lower(event) FROM a) SELECT event, count() AS n FROM b GROUP BY event',
      'WITH a AS (SELECT event, toStartOfDay(timestamp) AS x FROM events), b AS (SELECT event, a.x FROM a UNION ALL SELECT lower(event), a.x FROM a) SELECT event, count() AS n, b.x FROM b GROUP BY event, b.x',
      'SELECT event, sum(n) AS n FROM t WHERE x >= toStartOfDay({variables.x}) GROUP BY event',
    ],
    [
      'a CTE with names for its columns gets one more',
      'WITH a(e, n) AS (SELECT event, count() FROM events WHERE event = {variables.x} GROUP BY event) SELECT e, n FROM a',
      'WITH a(e, n, x) AS (SELECT event, count(), event AS x FROM events GROUP BY event) SELECT e, n, a.x FROM a',
      'SELECT e, n FROM t WHERE x = {variables.x}',
    ],
    [
      'a star has it already',
      'WITH a AS (SELECT * FROM events WHERE event = {variables.x}) SELECT * FROM a ORDER BY timestamp',
      'WITH a AS (SELECT *, event AS variable_x FROM events) SELECT *, timestamp AS sorted_by FROM a',
      'SELECT * EXCEPT (sorted_by, variable_x) FROM t WHERE variable_x = {variables.x} ORDER BY sorted_by',
    ],
    [
      'one that is selected under its name is passed on as it is',
      'WITH a AS (SELECT event, count() AS c FROM events WHERE event = {variables.event} GROUP BY event) SELECT event, c FROM a ORDER BY c',
      'WITH a AS (SELECT event, count() AS c FROM events GROUP BY event) SELECT event, c FROM a',
      'SELECT event, c FROM t WHERE event = {variables.event} ORDER BY c',
    ],
  ])('%s', (_, query, build, read) => expect(textsOf(query)).toEqual([build, read]));

  test('a number that a CTE groups by is stored as a number: its texts are several groups there, and one outside', () => {
    const query =
      'WITH a AS (SELECT properties.n AS n, count() AS c FROM events WHERE properties.n = {variables.num} GROUP BY n) SELECT avg(c) FROM a';
    expect(textsOf(query)).toEqual([
      'WITH a AS (SELECT properties.n AS n, count() AS c, toFloat(properties.n) AS num FROM events GROUP BY n, toFloat(properties.n)) SELECT avg(c), a.num FROM a GROUP BY a.num',
      'SELECT `avg(c)` FROM t WHERE num = {variables.num}',
    ]);
  });

  test('a row of nothing is asked of the query itself', () => {
    const query = 'WITH a AS (SELECT count() AS c FROM events WHERE event = {variables.x}) SELECT c FROM a';
    expect(planOf(query)).toMatchObject({ isReaggregated: false, emptyMeansInline: true });
    expect(planOf('SELECT uniq(event) FROM events WHERE event = {variables.x}')).toMatchObject({
      emptyMeansInline: true,
    });
    expect(planOf('SELECT uniq(event) FROM events WHERE event = {variables.x} GROUP BY event')).toMatchObject({
      emptyMeansInline: false,
    });
  });
});

describe('a query without variables', () => {
  test.each<[promise: string, query: string, build: string, read: string]>([
    [
      'is stored whole and read in its order',
      'SELECT event, count() AS n FROM events GROUP BY event ORDER BY n DESC LIMIT 3 OFFSET 1',
      'SELECT event, count() AS n FROM events GROUP BY event ORDER BY n DESC LIMIT 3 OFFSET 1',
      'SELECT event, n FROM t ORDER BY n DESC',
    ],
    [
      'stores what it is sorted by',
      'SELECT event FROM events ORDER BY timestamp WITH FILL, lower(event) LIMIT 3',
      'SELECT event, timestamp AS sorted_by, lower(event) AS sorted_by_2 FROM events ORDER BY timestamp WITH FILL, lower(event) LIMIT 3',
      'SELECT event FROM t ORDER BY sorted_by, sorted_by_2',
    ],
    [
      'groups by what it selects, not by what it is sorted by',
      'SELECT event, count() AS n FROM events GROUP BY ALL ORDER BY rand() LIMIT 3',
      'SELECT event, count() AS n, rand() AS sorted_by FROM events GROUP BY event ORDER BY rand() LIMIT 3',
      'SELECT event, n FROM t ORDER BY sorted_by',
    ],
    [
      'of one group stays one',
      'SELECT count() AS n FROM events GROUP BY ALL ORDER BY rand()',
      'SELECT count() AS n, rand() AS sorted_by FROM events ORDER BY rand()',
      'SELECT n FROM t ORDER BY sorted_by',
    ],
    [
      'may be a star, and a UNION',
      'SELECT * FROM events UNION ALL SELECT * FROM events LIMIT 3',
      'SELECT * FROM events UNION ALL SELECT * FROM events LIMIT 3',
      'SELECT * FROM t',
    ],
    ['reads another value of WITH', 'WITH {n} AS x SELECT x AS y', 'WITH {n} AS x SELECT x AS y', 'SELECT y FROM t'],
  ])('%s', (_, query, build, read) => expect(textsOf(query)).toEqual([build, read]));
});

describe('what else a plan says', () => {
  test('aggregates of the SELECT list, by alias or text, and how each is put together (contract/endpoints 6.7)', () => {
    const query =
      'SELECT count() AS n, uniq(event), round(sum(1) / max(2), 1) AS r FROM events WHERE event = {variables.x}';
    expect(planOf(query).aggregates).toEqual([
      { expression: 'n', reaggregate_fn: 'sum' },
      { expression: 'uniq(event)', reaggregate_fn: null },
      { expression: 'sum(1)', reaggregate_fn: 'sum' },
      { expression: 'max(2)', reaggregate_fn: 'max' },
    ]);
  });

  test('functions that freeze when it is built (rule 38)', () => {
    const query =
      'SELECT event, Rand(), current_date FROM events WHERE timestamp > now() - INTERVAL 1 DAY AND event = {variables.x} AND timestamp < now()';
    expect(planOf(query).volatile).toEqual(['Rand', 'current_date', 'now']);
    expect(planOf('SELECT event FROM events').volatile).toEqual([]);
  });

  test('names of columns, and those that no run returns', () => {
    expect(planOf('SELECT event, count() FROM events WHERE distinct_id = {variables.x} GROUP BY event')).toMatchObject({
      columns: ['event', 'count()'],
      hidden: ['x'],
    });
    expect(planOf('SELECT * FROM events WHERE event = {variables.x}')).toMatchObject({
      columns: undefined,
      hidden: ['variable_x'],
    });
  });

  test('a wrapped value, its operators and its column', () => {
    const [key] = planOf(
      "SELECT event FROM events WHERE JSONExtractString(properties, 'a') LIKE lower({variables.x})",
    ).keys;
    expect(key).toMatchObject({ path: 'properties.a', operators: ['like'], bucketFn: null });
    expect(key?.wrapper && writeExpression(key.wrapper)).toBe('lower({variables.x})');
  });

  // Saving such a query is cheap, since a name is printed as a name.
  test('names that stand for much are refused, and not written out', () => {
    const list = (part: string, count: number): string => `[${Array<string>(count).fill(part).join(', ')}]`;
    const text = `SELECT ${list('count()', 480)} AS a, ${list('a', 1_000)} AS b FROM events WHERE event LIKE {variables.x}`;
    const tree = parseSelect(text);
    const before = process.cpuUsage().user;
    expect(planMaterialization(tree, variablesOf(tree), null)).toMatchObject({
      ok: false,
      refusal: { code: 'aggregate_not_reaggregatable' },
    });
    // Written out, they would take seconds.
    expect((process.cpuUsage().user - before) / 1_000).toBeLessThan(500);
  });

  // Whatever people write: a plan is made or a rule named, and the build of a plan compiles where the query does.
  test('every statement has a plan or a refusal', () => {
    const values = { values: { n: 5 }, schema: schemaOf({}) };
    const compiles = (tree: Statement): boolean => {
      try {
        prepareStatement(tree).print(values, { rowsMax: 1 });
        return true;
      } catch {
        return false;
      }
    };
    let planned = 0;
    for (const text of [...posthogStatements, ...ordinaryStatements]) {
      if (/^\s*(?:show|desc|describe|explain)\b/i.test(text)) continue;
      const tree = parsed(text);
      if (!tree || variablesIn(tree).length > 0 || !compiles(tree)) continue;
      const plan = planMaterialization(tree, [], null);
      if (!plan.ok) continue;
      planned += 1;
      expect({ text, compiles: compiles(plan.plan.build) }).toEqual({ text, compiles: true });
      writeStatement(plan.plan.read('t'));
    }
    expect(planned).toBeGreaterThan(50);
  });
});

function parsed(text: string): Statement | undefined {
  try {
    return parseSelect(text);
  } catch {
    return undefined;
  }
}
