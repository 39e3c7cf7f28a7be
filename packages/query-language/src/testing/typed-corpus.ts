// SQL as people type it who come from Postgres, MySQL or ClickHouse: each form compiles and runs, whatever the project has captured.

/** Ordinary ones. */
export const typedStatements: readonly string[] = [
  'select current_date, current_timestamp, localtimestamp, current_date - 7, current_date() from events where timestamp < current_timestamp',
  'select event, count() as n from events group by event order by n desc limit 10, 20',
  'select distinct on (distinct_id) distinct_id, event, timestamp from events order by distinct_id, timestamp desc limit 100',
  'select distinct on (properties.plan, event) * from events order by timestamp desc',
  "select ARRAY['a', 'b'], array[1], ARRAY[], ARRAY[[1, 2], [3]][1], ARRAY[event, properties.plan] from events",
  "select properties.tags::text[], '[1, 2]'::int[], cast(ARRAY[1] as text[]) from events",
  'select substring(event from 2), substring(event from 2 for 3), substring(event for 2), substr(properties.plan from 1) from events',
  "select now() - interval '1 day 2 hours', today() + interval '1 month 1 day', today() - interval '1 day 12 hours', timestamp + interval '1 year 2 mons -3 days 04:05:06', timestamp + '7 days'::interval, interval '90 min' + interval '1 h 30 mins' + timestamp from events",
  "select split_part(properties.$current_url, '/', 3), split_part(event, ' ', -1), split_part(distinct_id, '@', properties.n) from events",
  "select to_char(timestamp, 'YYYY-MM-DD HH24:MI:SS'), to_char(today(), 'FMMonth DD, YYYY'), to_char(properties.due, '\"week\" IW \"of\" IYYY, Dy HH12:MI AM') from events",
  "select date_part('hour', timestamp), date_part('isodow', timestamp), date_part(month, today()), datepart('epoch', properties.due), extract(isodow from timestamp) from events",
  "select properties->>'plan', properties->'address'->>'city', properties->'items'->0->>'sku', person.properties->>'email', (properties->>'n')::int + 1 from events where properties->>'plan' = 'pro' and lower(properties->>'plan') = 'pro'",
  "select ARRAY['a'] && properties.tags, [1, 2] && [2], properties->'tags' && ARRAY['vip'] from events where properties.tags && ['a', 'b']",
  "select event || ' ' || properties.plan || 1, event ~ '^a', event ~* '^A', event !~ 'b$', event !~* 'B$', properties.plan ~ 'pro' from events",
];

/** Attempts that compile: they see their own project's rows alone, in bounded time and memory. */
export const boundedTyped: readonly string[] = [
  "select sum(length(split_part(repeat('a,', 50000), ',', number))) from numbers(1000000)",
  "select event ~ '(a+)+(a+)+b', repeat('a', 100000) ~* '(a+)+(a+)+b' from events",
  'select distinct on (properties, event) properties from events',
  'select range(100000) && range(100000) from events',
  "select properties->'a'->'b'->'c'->'d'->>'e' from events",
];

/** Attempts to get past the compiler through these forms: none compiles. */
export const refusedTyped: readonly string[] = [
  'select distinct on (team_id) event from events',
  'select distinct on ((select name from system.users)) event from events',
  'select ARRAY[team_id] from events',
  'select ARRAY[(select name from system.users)]',
  'select properties->team_id from events',
  "select team_id->>'a' from events",
  'select event from events limit 1, (select 2)',
  'select event from events limit 1, 2 settings max_threads = 1',
  "select split_part(file('/etc/passwd'), ':', 1)",
  "select to_char(timestamp, file('/etc/passwd')) from events",
  "select date_part(file('/etc/passwd'), timestamp) from events",
  "select event from events where event ~ file('/etc/passwd')",
  'select event from events where [team_id] && [1]',
  "select event from events where event ~ '(a{1000}){1000}'",
  `select to_char(timestamp, '${'YYYY'.repeat(100)}') from events`,
  "select interval '1 day') as x, team_id from events --",
];
