// Aggregates whose values come in an order, that keep or leave out NULL, and those that other databases name otherwise.

/** Both parsers read these into the same trees, or refuse them. */
export const aggregateSyntax: readonly string[] = [
  'select groupArray(a order by b) from t',
  'select groupArray(a order by b desc, c asc, lower(d)) as x from t',
  'select groupArray(distinct a order by a) from t',
  'select groupArray(3)(a order by b) from t',
  'select groupArrayIf(a, b order by c) from t',
  'select groupArray(a order by b) filter (where c) from t',
  "select string_agg(a, ',' order by b) from t",
  'select count(order by b), f(a)(order by b) from t',
  'select f(a order by b with fill) from t',
  'select f(a order by (select b from t order by c)) from t',
  'select quantile(0.5) within group (order by a) from t',
  "select percentile_cont(0.5) within group (order by a desc), listagg(a, ',') within group (order by a, b) from t",
  'select quantile(0.5)(a) within group (order by b) from t',
  'select f(a order by b limit 3) from t',
  'select f(a order by) from t',
  'select a from t offset 3 limit 2',
  'select a from t fetch first 3 rows only',
  'select a from t offset 3 rows',
  'select ignore, a as respect from t',
];

/** Each compiles and runs, whatever the project has captured. */
export const aggregateStatements: readonly string[] = [
  "select distinct_id, arrayStringConcat(groupArray(event order by timestamp), ' > ') as path from events group by distinct_id",
  'select groupArray(3)((event, timestamp) order by timestamp desc), array_agg(distinct event order by event desc), groupUniqArray(event order by event) from events',
  "select groupArrayIf(event, properties.plan = 'pro' order by properties.n + 0 nulls first, event desc, timestamp), groupArray(event order by timestamp) filter (where properties.n > 1) from events",
  "select string_agg(event, ', ' order by timestamp), string_agg(distinct event, '/'), string_agg(event, ',') within group (order by timestamp desc), groupConcat('|', 5)(event order by timestamp), json_agg(event), json_agg((event, distinct_id) order by timestamp) from events",
  'select event, any(properties.plan order by timestamp), anyLast(distinct_id order by timestamp, uuid), first_value(properties.plan order by properties.n desc), any(properties.plan order by timestamp) respect nulls from events group by event',
  'select any(properties.plan) respect nulls, anyLastIf(properties.plan, properties.n > 1) respect nulls, any_value(event) ignore nulls, sum(properties.n ignore nulls), groupArray(properties.plan) respect nulls, array_agg(properties.plan order by event desc) respect nulls from events',
  'select percentile_cont(0.9) within group (order by properties.amount), percentile_disc(0.5) within group (order by event desc), quantile(0.25) within group (order by properties.amount desc), every(properties.n > 0) from events',
  "select event, lag(properties.plan) ignore nulls over w as before, lead(properties.plan, 1, 'none') ignore nulls over w, first_value(properties.plan) respect nulls over w, last_value(properties.plan) over w ignore nulls, any(properties.plan) respect nulls over w, string_agg(event, ',') over w from events window w as (partition by distinct_id order by timestamp)",
  'select event from events order by timestamp offset 1 limit 2',
  "select avgMap(map(event, 2)), uniqMap(map('a', distinct_id)), avgMapIf(map(event, toFloat(properties.n)), event = 'paid') as m, m['paid'], sumWithOverflow(1), maxIntersections(timestamp, timestamp + interval 1 hour), deltaSumTimestamp(properties.n, timestamp), sparkbar(5)(timestamp, 1), theilsU(event, distinct_id), contingency(event, distinct_id), cramersVBiasCorrected(event, distinct_id), medianExactLow(properties.n), medianExactHigh(properties.n), medianTiming(properties.n), medianBFloat16(properties.n), maxIntersectionsPosition(timestamp, timestamp + interval 1 hour) from events",
];

/** Attempts to get past the compiler through these forms: none compiles. */
export const refusedAggregates: readonly string[] = [
  'select groupArray(number order by number % 10 desc, number, 0 - number desc) from numbers(10000000)',
  "select length(string_agg(toString(number), ',' order by number desc)) from numbers(10000000)",
  'select groupArray(event order by team_id) from events',
  'select groupArray(event order by events.team_id desc, event) from events',
  "select groupArray(event order by file('/etc/passwd')) from events",
  'select groupArray(event order by (select count() from analytics.events)) from events',
  'select groupArray(event order by event settings readonly = 0) from events',
  'select any(team_id) respect nulls from events',
  'select quantile(0.5) within group (order by team_id) from events',
  "select percentile_disc(0.5) within group (order by file('/etc/passwd')) from events",
  'select percentile_disc((select 0.5)) within group (order by event) from events',
  'select percentile_cont(team_id) within group (order by properties.n) from events',
  'select file(0.5) within group (order by event) from events',
  "select string_agg(event, file('/etc/passwd')) from events",
  'select string_agg(event, event) from events',
  'select json_agg(team_id order by event) from events',
  'select lag(team_id) ignore nulls over (order by event) from events',
  'select lag(event) ignore nulls over (order by team_id) from events',
  'select lag(event, 2) ignore nulls over (order by event) from events',
  'select __values from events',
  'select percentile_disc(0.5) within group (order by __values) from events',
  'select groupArray(event order by __rows, event desc) from events',
  'select groupArray(1000001)(event order by timestamp) from events',
];

/** Attempts that compile: they see their own project's rows alone, in bounded time and memory. */
export const boundedAggregates: readonly string[] = [
  'select groupArray(properties order by event desc, distinct_id, timestamp desc) from events',
  'select percentile_disc(0.5) within group (order by number) from numbers(10000000)',
  'select any(properties order by properties) respect nulls, json_agg(properties) from events',
  'select lag(properties) ignore nulls over (order by timestamp) from events',
];
