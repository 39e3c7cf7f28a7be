// Statements of the forms that give rows of several kinds: ROLLUP, CUBE and GROUPING SETS.

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
];

/** Attempts that compile: they see their own project's rows alone, in bounded time and memory. */
export const boundedForms: readonly string[] = [
  'select event, properties, count() from events group by cube(event, properties)',
  'select properties, word from (select properties, properties.word as word from events group by rollup(properties, properties.word))',
  'select number, count() from numbers(10000000) group by cube(number, number % 2, number % 3, number % 5, number % 7)',
  `select count() from events group by grouping sets (${Array.from({ length: 64 }, () => '(event, properties)').join(', ')})`,
];
