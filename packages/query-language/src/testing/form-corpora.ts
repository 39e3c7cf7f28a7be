import { analystStatements } from './analyst-corpus.ts';

// Statements of the forms that give rows beyond those that are stored: ROLLUP, CUBE and GROUPING SETS, WITH FILL, WITH
// RECURSIVE; and queries of analysts used to ClickHouse: funnels, retention, sessions, states of aggregates, JSON,
// texts and times.

/** Each compiles and runs, whatever the project has captured. */
export const formStatements: readonly string[] = [
  'select event, properties.plan as plan, count() as n from events group by rollup(event, plan) order by event, plan',
  'select event, properties.plan, count() from events group by event, properties.plan with rollup',
  'select distinct_id, event, sum(properties.n) from events group by cube(1, 2)',
  'select event, count() from events group by event with cube having event is null',
  'select event, toDate(timestamp), count(), grouping(event, toDate(timestamp)) as level from events group by grouping sets ((event), (toDate(timestamp)), ()) order by level',
  "select coalesce(properties.plan, 'none') as plan, upper(coalesce(properties.plan, 'none')), count() from events group by rollup(plan) having plan != 'x'",
  "select tag, count() from events array join splitByChar(',', properties.tags) as tag group by rollup(tag)",
  'select e.event, p.properties.email, count() from events e left join persons p on p.id = e.person_id group by cube(e.event, p.properties.email)',
  'select * from (select event, count() as n from events group by rollup(event)) where event is null',
  'select event, count() as n, n / max(n) over () from events group by rollup(event) order by grouping(event), n desc',
  'with recursive t as (select 1 as n union all select n + 1 from t where n < 10) select sum(n) from t',
  'with recursive t as (select 1 as n, 1 as f union all select n + 1, f * (n + 1) from t where n < 20), 2 as k select n, f, k from t order by n desc limit 1',
  "with recursive path as (select distinct_id, event, timestamp as at, 1 as step from events where event = 'signed up' union all select e.distinct_id, e.event, e.timestamp, p.step + 1 from path p join events e on e.distinct_id = p.distinct_id where e.timestamp > p.at and p.step < 3) select step, event, count() from path group by step, event order by 1, 2",
  "with recursive days as (select toDate('2026-01-01') as d union all select d + 1 from days where d < '2026-01-05') select d, count(e.uuid) from days left join events e on toDate(e.timestamp) = d group by d order by d",
  'with recursive a as (select 1 as n), b as (select n from a) select n from b',
  'select toDate(timestamp) as day, count() as n from events group by day order by day with fill',
  "select toDate(timestamp) as day, count() as n, 'x' as o from events group by day order by day with fill from toDate('2026-01-01') to toDate('2026-01-10') step 1 interpolate (n as n + 1, o)",
  "select toStartOfHour(timestamp), count() from events group by toStartOfHour(timestamp) order by toStartOfHour(timestamp) with fill from '2026-01-01' to '2026-01-02 12:00:00' step interval 6 hour",
  "select toStartOfDay(timestamp, 'Europe/Berlin') as day, count() from events group by day order by day with fill step 3600 * 12 limit 3",
  'select toStartOfMonth(timestamp) as month, count() from events group by 1 order by 1 with fill from today() - interval 3 month to today() step interval 1 month interpolate',
  'select event, toDate(timestamp) as day, count() as n from events group by event, day order by event, day with fill step 1',
  'select length(event) as l, count() from events group by l order by l desc with fill to 0 step -1',
  'select event, count() from events group by all order by all desc',
  "select count(distinct event, distinct_id), count(distinct event, distinct_id) filter (where event != 'a') from events",
  "select count(distinct event) over (partition by distinct_id), count(*) filter (where event = 'a') over (partition by distinct_id), sum(properties.n) filter (where properties.n > 1) over () from events",
  "select count() from events where event in tuple('a', 'b') or event in array('paid')",
  "select extract(year from timestamp), extract(dow from timestamp), trim(both 'a' from event), trim(leading '$' from event), position('a' in event), date '2026-01-01', timestamp '2026-01-01 00:00:00' from events",
  "select now() - interval 7 days, dateDiff(day, timestamp, date '2026-02-01'), date_add(day, 1, timestamp), date_trunc(month, timestamp), timestamp_add(timestamp, interval 2 hours) from events",
  'select toDate(timestamp) as day, dateAdd(day, interval 1 day), date_sub(day, interval 1 week), timestamp_add(day, interval 2 hour), date_add(day, 1, day), dateDiff(day, day, today()), dateTrunc(month, day) from events',
  "with 'week' as unit, 'month' as hour select dateTrunc(unit, timestamp), dateTrunc(hour, timestamp), dateSub(week, interval 1 month) from (select timestamp, toMonday(timestamp) as week from events)",
  ...analystStatements,
];

// The state of an aggregate for every group is bounded here, not by the engine.
const hungryParameters = ['-1', '0', '0.5', '1e18', '9223372036854775807'].flatMap((size) => [
  ...['groupArraySorted', 'groupArrayLast', 'groupArraySample', 'groupArray', 'groupUniqArray', 'uniqUpTo', 'topK'].map(
    (name) => `select ${name}(${size})(event) from events`,
  ),
  ...['histogram', 'uniqCombined', 'groupArrayMovingSum'].map(
    (name) => `select ${name}(${size})(properties.n) from events`,
  ),
  ...['topKWeighted', 'sparkbar', 'largestTriangleThreeBuckets'].map(
    (name) => `select ${name}(${size})(toUnixTimestamp(timestamp), properties.n) from events`,
  ),
]);

// Values that are larger than a query may make.
const oversizedCalls = [
  'select arrayResize([1], 1000000000)',
  'select arrayResize([1], -1000000000), arrayShiftLeft([1], 1000000000), arrayShiftRight([1], 1000000000), arrayRotateLeft([1], 1000000000)',
  "select arrayWithConstant(1000000000, 'x')",
  "select arrayWithConstant(100000, arrayWithConstant(100000, 'x'))",
  'select arrayRandomSample(range(1000000), 1000000000)',
  'select space(1000000000)',
  "select lpad('a', 1000000000, ''), rpad('a', 1000000000)",
  "select length(ngrams(repeat('a', 1000000), 3))",
  "select length(ngrams(repeat('ab', 1000000), 500000))",
  `select length(JSONExtractRaw(concat(repeat('[', 1000000), repeat(']', 1000000)))), isValidJSON(repeat('{"a":', 1000000)), JSON_VALUE(repeat('{"a":', 1000000), '$.a.a')`,
  "select JSONExtractKeysAndValuesRaw(concat('{', repeat('\"a\":1,', 1000000), '\"b\":1}'))",
  'select arrayUnion(range(1000000), range(1000000)), arrayIntersect(range(1000000), range(1000000)), arrayEnumerateUniq(range(1000000)), arrayShuffle(range(1000000))',
  'select mapFromArrays(arrayMap(x -> toString(x), range(1000000)), range(1000000))',
  "select splitByRegexp('', repeat('a', 10000000)), splitByString('', repeat('a', 10000000)), splitByNonAlpha(repeat('a ', 5000000))",
];

/** Attempts to get past the compiler through these forms: none compiles. */
export const refusedForms: readonly string[] = [
  ...oversizedCalls,
  'select team_id, count() from events group by rollup(team_id)',
  'select count() from events group by cube(event, events.team_id)',
  'select count() from events group by grouping sets ((event), (team_id))',
  "select count() from events group by rollup(file('/etc/passwd'))",
  'select count() from events group by grouping sets ((event), (select name from system.users))',
  "select count() from events group by rollup(event) settings log_comment = '2'",
  'select count() from events group by event with rollup settings group_by_use_nulls = 1',
  'select event, grouping(team_id) from events group by rollup(event)',
  'select count() from events group by cube(1 = 1, 2 = 2, 3 = 3, 4 = 4, 5 = 5, 6 = 6, 7 = 7, 8 = 8, 9 = 9)',
  'select event, count() from events group by event with totals',
  'select event, count() from events group by rollup(event) with totals',
  'select event, count() from analytics.events group by rollup(event)',
  'with recursive t as (select team_id as n from events union all select n from t) select n from t',
  'with recursive t as (select 1 as n union all select team_id from events) select n from t',
  'with recursive t as (select 1 as team_id union all select team_id from t) select * from t',
  'with recursive t as (select 1 as n union all select n from analytics.events, t) select n from t',
  "with recursive t as (select 1 as n union all select length(file('/etc/passwd')) from t) select n from t",
  'with recursive t as (select 1 as n union all select n + 1 from t settings max_recursive_cte_evaluation_depth = 0) select n from t',
  'with recursive `__w0` as (select 1 as n union all select n from `__w0`) select n from `__w0`',
  'with recursive t as (select 1 as n union select n from t) select n from t',
  'with recursive system.users as (select 1 as n union all select n from system.users) select n from system.users',
  'select team_id as t from events order by t with fill',
  'select length(event) as l from events order by l with fill from team_id',
  'select length(event) as l from events order by l with fill to (select max(team_id) from analytics.events)',
  "select length(event) as l from events order by l with fill step file('/etc/passwd')",
  'select length(event) as l, 1 as x from events order by l with fill interpolate (x as team_id)',
  'select length(event) as l, 1 as x from events order by l with fill interpolate (x as (select name from system.users))',
  'select length(event) as l, 1 as x from events order by l with fill interpolate (`x``; drop` as 1)',
  'select length(event) as l from events order by l with fill interpolate (team_id as 1)',
  "select timestamp as t, properties from events order by t with fill from '2000-01-01' to '2299-01-01' step interval 1 second interpolate (properties as properties || properties)",
  'select event from events order by all settings readonly = 0',
  ...hungryParameters,
];

// Large parameters, large results, and what goes through its arguments many times.
const hungryCalls = [
  'select number % 100000 as g, topK(10000, 10)(number), groupArraySample(1000000)(number), uniqUpTo(100)(number) from numbers(1000000) group by g',
  'select number % 100000 as g, topKWeighted(10000, 10)(number, 1), groupArrayLast(1000000)(number), groupArraySorted(1000000)(number) from numbers(1000000) group by g',
  'select number % 100000 as g, uniqCombined(20)(number), histogram(250)(number), quantileDD(0.001, 0.5)(exp(number % 700)) from numbers(1000000) group by g',
  'select sparkbar(1000, 0, 9007199254740991)(number, 1), largestTriangleThreeBuckets(10000)(number, number), exponentialMovingAverage(0)(number, number), groupArrayMovingSum(1000000)(number) from numbers(1000000)',
  "select groupConcat('x', 1000000)(toString(number)), groupArray(1000000)(number), groupUniqArray(1000000)(number) from numbers(1000000)",
  'select arrayWithConstant(-1, 1)',
  "select editDistance(repeat('a', 1000000), repeat('b', 1000000)), editDistanceUTF8(repeat('é', 500000), repeat('b', 1000000))",
  "select sum(editDistance(repeat(toString(number % 10), 1000), repeat('b', 1000))), sum(editDistanceUTF8(repeat(toString(number % 10), 1000), repeat('b', 1000))) from numbers(1000)",
  "select sum(jaroSimilarity(repeat(toString(number % 10), 1000), repeat('b', 1000))), sum(jaroWinklerSimilarity(repeat('ab', 1000), repeat(toString(number % 10), 1000))) from numbers(1000)",
  "select ngramDistance(repeat('a', 1000000), repeat('b', 1000000)), ngramSearch(repeat('a', 1000000), repeat('b', 1000000))",
  `select sequenceMatch('${'.*'.repeat(100)}(?1)')(number, number = 1, number = 2) from numbers(1000000)`,
  `select sequenceCount('${'(?1).*'.repeat(80)}(?2)')(number, number > 1, number < 0) from numbers(100000)`,
  `select sequenceMatch('${'(?1)(?t>=0)'.repeat(40)}(?2)')(number, number > 1, number < 0) from numbers(100000)`,
  'select windowFunnel(9007199254740991)(number, number = 1, number = 2) from numbers(10000000)',
  `select JSON_QUERY('{"a":1}', concat('$', repeat('.a', 100000)))`,
  "select translate(repeat('a', 1000000), 'a', 'b'), extractGroups(repeat('a', 100000), '(a*)(a*)(a*)b'), regexpExtract(repeat('a', 100000), '(a*)*b', 1), countMatches(repeat('a', 100000), '(a|aa)+$')",
  'select bar(1, 0, 1, 1000000000), factorial(1000000000), formatReadableTimeDelta(1e300), widthBucket(1, 0, 1, 4000000000), bitShiftLeft(1, 1000000000)',
  'select rankCorr(number, number), maxIntersections(number, number + 1), studentTTest(number, number % 2), cramersV(number, number + 1) from numbers(1000000)',
];

/** Attempts that compile: they see their own project's rows alone, in bounded time and memory. */
export const boundedForms: readonly string[] = [
  'select event, properties, count() from events group by cube(event, properties)',
  'select properties, word from (select properties, properties.word as word from events group by rollup(properties, properties.word))',
  'select number, count() from numbers(10000000) group by cube(number, number % 2, number % 3, number % 5, number % 7)',
  'with recursive x as (select 1 as a union all select a + 1 from x) select sum(a) from x',
  'with recursive x as (select 1 as a union all select a from x, numbers(1000000)) select count() from x',
  'with recursive x as (select properties as p from events union all select p || p from x) select max(length(p)) from x',
  'with recursive x as (select event as e from events union all select a.e from x a, x b) select count() from x',
  'with recursive x as (select event as e, properties as p, 1 as n from events union all select events.event, events.properties, n + 1 from x join events on true where n < 4) select e, p from x',
  'with recursive persons as (select properties as p, 1 as n from events union all select p, n + 1 from persons where n < 3) select * from persons',
  'select number as n from numbers(2) order by n with fill from 0 to 1000000000000',
  'select count() from (select number as n from numbers(2) order by n with fill from 0 to 1000000000000)',
  "select timestamp as t, properties from events order by t with fill from '2000-01-01' to '2299-01-01' step interval 1 second interpolate (properties)",
  'select number as n from numbers(2) order by n with fill step 0',
  'select number as n from numbers(2) order by n with fill from 10 to 0 step 1e-9',
  'select event, properties, person.properties from events order by all',
  `select count() from events group by grouping sets (${Array.from({ length: 64 }, () => '(event, properties)').join(', ')})`,
  ...hungryCalls,
];
