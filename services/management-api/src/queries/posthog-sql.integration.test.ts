import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compileQuery } from '@millrace/query-language/compile.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../test/tenant.ts';

// Queries that people wrote for PostHog, or copied from its insights, with the expected results.
const own = randomTeamId();
const person = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

// Runs are kept for a while only.
const lately = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19).replace('T', ' ');

let tenant: TestTenant;

beforeAll(async () => {
  tenant = await openTenant();
  await tenant.insert({
    events: [
      event('$pageview', 1, '2026-03-02 10:00:00', 's1', {
        $pathname: '/',
        $current_url: 'https://a.example/?gclid=g1',
        gclid: 'g1',
        $host: 'a.example',
        $lib_version: '1.9.0',
      }),
      event('$autocapture', 1, '2026-03-02 10:01:00', 's1', {
        $current_url: 'https://a.example/',
        $external_click_url: 'https://b.example/',
      }),
      event('$pageview', 1, '2026-03-02 10:02:00', 's1', {
        $pathname: '/buy',
        $current_url: 'https://shop.a.example/buy',
        $lib_version: '1.10.2',
      }),
      event('$pageview', 2, '2026-03-02 12:00:00', 's2', {
        $pathname: '/',
        $current_url: 'https://a.example/',
        $lib_version: '1.200.1-beta',
      }),
      event('$pageview', 2, '2026-03-04 12:00:00', 's3', { $pathname: '/', $current_url: 'https://a.example/' }),
      event('buy', 1, '2026-03-02 10:03:00', '', {
        nums: [1, 2],
        prices: [1.5, 'x', null],
        tags: ['b', 'c'],
        plan: 'pro',
        amount: 5,
        revenue: 'x',
      }),
      event('buy', 2, '2026-03-04 12:01:00', '', {
        nums: [2, 3],
        tags: [],
        amount: 7,
        gift: true,
        revenue: '7.5',
        parent: 'p',
      }),
      event('$exception', 2, '2026-03-04 12:02:00', '', {
        $exception_types: ['TypeError', 'Error'],
        $exception_functions: ['first', 'middle', 'last'],
      }),
    ],
    query_log: [run('daily', ''), run('weekly', 'time_limit')],
  });
});
afterAll(() => tenant?.close());

function event(name: string, who: number, timestamp: string, session: string, properties: Record<string, unknown>) {
  const map = Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [key, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
  const of = { person_id: person(who), person_mode: 'full', person_properties_text: '{}', person_properties: {} };
  return {
    team_id: own,
    uuid: crypto.randomUUID(),
    event: name,
    distinct_id: `user${who}`,
    timestamp,
    created_at: timestamp,
    $session_id: session,
    ...of,
    properties_text: JSON.stringify(properties),
    properties: map,
  };
}

function run(name: string, error: string) {
  return { team_id: own, query_id: crypto.randomUUID(), name, query_start_time: lately, error_code: error };
}

async function responseOf(text: string): Promise<unknown> {
  const { sql, params } = compileQuery({ text, rowsMax: 100 });
  return (JSON.parse(await tenant.send(own, { sql: `${sql}\nFORMAT JSONCompact`, params })) as { data: unknown }).data;
}

const views = "from events where event = '$pageview'";

const buys = "from events where event = 'buy'";

const cases: readonly [promise: string, statement: string, rows: unknown[]][] = [
  [
    'equals() and and() join tables as = and AND do',
    `select a.p, b.n from (select properties.$pathname as p ${views} group by p) a left join (select properties.$pathname as p, count() as n ${views} group by p) b on and(equals(a.p, b.p), greater(b.n, 0)) order by 1`,
    [
      ['/', 3],
      ['/buy', 1],
    ],
  ],
  [
    'a NULL that is written out asks whether there is a value',
    `select countIf(properties.parent = null), countIf(properties.parent != NULL), countIf(equals(properties.parent, NULL)), countIf(notEquals(NULL, properties.parent)), countIf(or(equals(properties.parent, NULL), equals(properties.parent, 'p'))) ${buys}`,
    [[1, 1, 1, 1, 2]],
  ],
  [
    'a number is looked for in a list of a property as a number',
    `select countIf(has(properties.nums, 1)), countIf(has(properties.nums, '1')), countIf(2 in properties.nums), countIf(hasAny(properties.nums, [3, 4])), countIf(hasAll(properties.nums, [2, 3])), max(indexOf(properties.nums, 2)), sum(countEqual(properties.nums, 2)), countIf(has(properties.prices, 1.5)), countIf(has(properties.prices, 'x')), countIf(has(properties.nope, 1)) ${buys}`,
    [[1, 1, 2, 1, 1, 2, 2, 1, 1, 0]],
  ],
  [
    'IN a property: one of its items, or the property itself',
    `select countIf('b' in properties.tags), countIf('b' not in properties.tags), countIf('pro' in properties.plan), countIf('x' not in properties.plan), countIf(in('c', properties.tags)), countIf(properties.plan in properties.tags), countIf(lower('B') in if(1 = 1, properties.tags, properties.plan)), countIf(lower(properties.nope) in properties.tags) ${buys}`,
    [[1, 1, 1, 2, 1, 0, 1, 0]],
  ],
  [
    'a value that is missing is in no list, nor counted there',
    `select countIf(has(properties.tags, toFloat(properties.nope))), sum(countEqual(properties.tags, toFloat(properties.nope))), sum(indexOf(properties.tags, toFloat(properties.nope))), countIf(hasAny(properties.tags, [NULL, 7])), countIf(hasAll(properties.tags, [NULL, NULL + 1])), sum(indexOf(properties.nums, toFloat(properties.amount) - 4)), countIf(toFloat(properties.nope) in properties.tags) ${buys}`,
    [[0, 0, 0, 0, 0, 3, 0]],
  ],
  [
    'a property, or the list that it is, is looked for in a list of numbers',
    `select countIf(has([5, 9], properties.amount)), countIf(hasAny([1, 9], properties.nums)), countIf(hasAll([1, 2, 3], properties.nums)), countIf(hasAll([1.5, NULL], properties.prices)), countIf(has([5, NULL], properties.plan)), indexOf([9, 7], max(properties.amount)), countIf(hasAny(properties.nums, [toInt(properties.amount) - 4])), countIf(hasAll([toInt('1'), toInt('2')], properties.nums)) ${buys}`,
    [[1, 1, 2, 1, 0, 2, 2, 1]],
  ],
  [
    'aggregates inside a lambda are of the whole group: the days of a trend, those without events as 0',
    `select arrayMap(n -> toDate('2026-03-01') + n, range(0, 4)) as date, arrayMap(d -> arraySum(arraySlice(groupArray(ifNull(n, 0)), indexOf(groupArray(day) as days, d) as place, plus(minus(arrayLastIndex(x -> equals(x, d), days), place), 1))), date) as total from (select count() as n, toDate(timestamp) as day from events as e sample 1 where event = '$pageview' group by day order by day)`,
    [
      [
        ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04'],
        [0, 3, 0, 1],
      ],
    ],
  ],
  [
    'counts of hours that a sparkline draws',
    `select path, arrayMap(h -> countEqual(groupArray(hour), h), range(10, 13)) from (select properties.$pathname as path, toHour(timestamp) as hour ${views}) group by path order by path`,
    [
      ['/', [1, 0, 2]],
      ['/buy', [1, 0, 0]],
    ],
  ],
  [
    '.-1 is the last item',
    "select properties.$exception_functions.-1, properties.$exception_types.-2, properties.$exception_functions?.-1, [1, 2].-1, argMaxMerge(s) from (select properties, argMaxState(properties.$exception_functions.-1, timestamp) as s from events where event = '$exception' group by properties) group by properties",
    [['last', 'TypeError', 'last', 2, 'last']],
  ],
  [
    'sessions by the names that PostHog has for them',
    "select $end_current_url, $end_pathname, $entry_hostname, $end_hostname, $autocapture_count, $screen_count, $num_uniq_urls, $last_external_click_url, $entry_gclid, $entry_fbclid from sessions where id = 's1'",
    [['https://shop.a.example/buy', '/buy', 'a.example', 'shop.a.example', 1, 0, 3, 'https://b.example/', 'g1', null]],
  ],
  [
    'and those of an event',
    "select session.$end_pathname as left_at, session.$autocapture_count as clicks, uniq($session_id) from events where event = '$pageview' group by left_at, clicks order by left_at",
    [
      ['/', 0, 2],
      ['/buy', 1, 1],
    ],
  ],
  [
    'numbers() of what is computed: the days between two dates',
    "select toDate('2026-03-04') - number as day from numbers(dateDiff('day', toDate('2026-03-02'), toDate('2026-03-04')) + 1) order by day",
    [['2026-03-02'], ['2026-03-03'], ['2026-03-04']],
  ],
  [
    'numbers() of nothing, of less than nothing, of an offset',
    "select (select count() from numbers(toInt('x'))), (select count() from numbers(1 - 5)), (select max(number) from numbers(2 + 3, 1 + 1))",
    [[0, 0, 6]],
  ],
  [
    'what -ArgMax and -ArgMin aggregate are the rows with the greatest and the least',
    `select sumArgMax(properties.amount, timestamp), countArgMin(timestamp), sumArgMaxIf(properties.amount, timestamp, properties.plan = 'pro'), sumIfArgMin(properties.amount, properties.plan = 'pro', properties.amount), avgArgMaxOrNull(properties.amount, properties.amount) ${buys}`,
    [[7, 1, 5, 5, 7]],
  ],
  [
    'their states, and those of -If, are merged by the same name',
    `select sumArgMaxMerge(s), uniqIfMerge(u), sumMergeArgMax(n, k) from (select sumArgMaxState(properties.amount, timestamp) as s, uniqIfState(distinct_id, properties.amount > 5) as u, sumState(properties.amount) as n, distinct_id as k ${buys} group by distinct_id)`,
    [[7, 1, 7]],
  ],
  [
    'an alias that stands for a lambda, inside an aggregate inside another',
    'select arrayMap(x -> sum(z), [1]), arrayMap(x -> x + 1, [number])[1] as z from numbers(3) group by number order by z',
    [
      [[1], 1],
      [[2], 2],
      [[3], 3],
    ],
  ],
  [
    'conversions with the line that PostHog prints before its own',
    "select _toUInt64(0), _toDate('2026-03-02')",
    [[0, '2026-03-02']],
  ],
  [
    'the log of runs by the names that PostHog has for it',
    "select hogql_name, event_date, event_time, status from query_log where event_date >= yesterday() and status in ('QueryFinish', 'ExceptionWhileProcessing') order by hogql_name",
    [
      ['daily', lately.slice(0, 10), `${lately}.000000`, 'QueryFinish'],
      ['weekly', lately.slice(0, 10), `${lately}.000000`, 'ExceptionWhileProcessing'],
    ],
  ],
  [
    'IS TRUE and its like of a property, one that is not there too',
    `select countIf(properties.gift is true), countIf(properties.gift is not true), countIf(properties.gift is false), countIf(properties.gift is not false), countIf((properties.amount > 5) is true) ${buys}`,
    [[1, 1, 0, 2, 1]],
  ],
  [
    'versions sort by their numbers',
    `select properties.$lib_version as v, sortableSemVer(v) ${views} order by sortableSemVer(v) desc, timestamp limit 3`,
    [
      ['1.200.1-beta', [1, 200, 1]],
      ['1.10.2', [1, 10, 2]],
      ['1.9.0', [1, 9, 0]],
    ],
  ],
  [
    'a number, or what stands for it',
    `select sum(toFloatOrDefault(properties.revenue, 100)), sum(toFloatOrZero(properties.revenue)), sum(toIntOrDefault(properties.revenue, -1)), sum(toIntOrZero(properties.amount)), sum(toFloat(properties.revenue)) ${buys}`,
    [[107.5, 7.5, 6, 12, 7.5]],
  ],
  [
    'days and weeks by their other names',
    "select date_subtract(day, 1, toDate('2026-03-02')), make_date(2026, 3, 2), toYearWeek(toDate('2026-03-02')), toLastDayOfWeek(toDate('2026-03-02'))",
    [['2026-03-01', '2026-03-02', 202609, '2026-03-07']],
  ],
];

describe('SQL that was written for PostHog', () => {
  test.each(cases)('%s', async (_promise, statement, rows) => {
    expect(await responseOf(statement)).toEqual(rows);
  });
});
