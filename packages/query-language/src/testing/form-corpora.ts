// Statements of the forms that give rows beyond those that are stored: ROLLUP, CUBE and GROUPING SETS, WITH FILL.

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
  'select toDate(timestamp) as day, count() as n from events group by day order by day with fill',
  "select toDate(timestamp) as day, count() as n, 'x' as o from events group by day order by day with fill from toDate('2026-01-01') to toDate('2026-01-10') step 1 interpolate (n as n + 1, o)",
  "select toStartOfHour(timestamp), count() from events group by toStartOfHour(timestamp) order by toStartOfHour(timestamp) with fill from '2026-01-01' to '2026-01-02 12:00:00' step interval 6 hour",
  "select toStartOfDay(timestamp, 'Europe/Berlin') as day, count() from events group by day order by day with fill step 3600 * 12 limit 3",
  'select toStartOfMonth(timestamp) as month, count() from events group by 1 order by 1 with fill from today() - interval 3 month to today() step interval 1 month interpolate',
  'select event, toDate(timestamp) as day, count() as n from events group by event, day order by event, day with fill step 1',
  'select length(event) as l, count() from events group by l order by l desc with fill to 0 step -1',
  'select event, count() from events group by all order by all desc',
];

/** Attempts to get past the compiler through these forms: none compiles. */
export const refusedForms: readonly string[] = [
  'select team_id, count() from events group by rollup(team_id)',
  'select count() from events group by cube(event, events.team_id)',
  'select count() from events group by grouping sets ((event), (team_id))',
  "select count() from events group by rollup(file('/etc/passwd'))",
  'select count() from events group by grouping sets ((event), (select name from system.users))',
  "select count() from events group by rollup(event) settings log_comment = '2'",
  "select count() from events group by event with rollup settings group_by_use_nulls = 1",
  'select event, grouping(team_id) from events group by rollup(event)',
  'select count() from events group by cube(1 = 1, 2 = 2, 3 = 3, 4 = 4, 5 = 5, 6 = 6, 7 = 7, 8 = 8, 9 = 9)',
  'select event, count() from events group by event with totals',
  'select event, count() from events group by rollup(event) with totals',
  'select event, count() from analytics.events group by rollup(event)',
  'select team_id as t from events order by t with fill',
  'select length(event) as l from events order by l with fill from team_id',
  'select length(event) as l from events order by l with fill to (select max(team_id) from analytics.events)',
  "select length(event) as l from events order by l with fill step file('/etc/passwd')",
  'select length(event) as l, 1 as x from events order by l with fill interpolate (x as team_id)',
  "select length(event) as l, 1 as x from events order by l with fill interpolate (x as (select name from system.users))",
  "select length(event) as l, 1 as x from events order by l with fill interpolate (`x``; drop` as 1)",
  'select length(event) as l from events order by l with fill interpolate (team_id as 1)',
  'select event from events order by all settings readonly = 0',
];

/** Attempts that compile: they see their own project's rows alone, in bounded time and memory. */
export const boundedForms: readonly string[] = [
  'select event, properties, count() from events group by cube(event, properties)',
  'select properties, word from (select properties, properties.word as word from events group by rollup(properties, properties.word))',
  'select number, count() from numbers(10000000) group by cube(number, number % 2, number % 3, number % 5, number % 7)',
  'select number as n from numbers(2) order by n with fill from 0 to 1000000000000',
  'select count() from (select number as n from numbers(2) order by n with fill from 0 to 1000000000000)',
  "select timestamp as t, properties from events order by t with fill from '2000-01-01' to '2299-01-01' step interval 1 second interpolate (properties as properties || properties)",
  'select number as n from numbers(2) order by n with fill step 0',
  'select number as n from numbers(2) order by n with fill from 10 to 0 step 1e-9',
  'select event, properties, person.properties from events order by all',
  `select count() from events group by grouping sets (${Array.from({ length: 64 }, () => '(event, properties)').join(', ')})`,
];
