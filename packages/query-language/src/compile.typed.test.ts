import { describe, expect, test } from '@jest/globals';
import { compileQuery } from './compile.ts';
import { arrayFunctions } from './functions/array-functions.ts';
import { scalarFunctions } from './functions/function-table.ts';
import { parseSelect } from './parse.ts';
import { lambdaFunctions } from './parse/words.ts';
import { essence } from './testing/hogql-oracle.ts';

const compiled = (text: string) => {
  const { sql, params, columns } = compileQuery({ text, rowsMax: 100 });
  return { sql, params, columns };
};

describe('SQL as people type it says the same as', () => {
  test.each([
    ['select current_date', 'select today() as current_date'],
    ['select CURRENT_TIMESTAMP as t, localtimestamp as l', 'select now() as t, now() as l'],
    ['select event from events limit 10, 20', 'select event from events limit 20 offset 10'],
    [
      'select event from events limit 1, 2 by event limit 3, 4',
      'select event from events limit 2 offset 1 by event limit 4 offset 3',
    ],
    [
      'select distinct on (event, distinct_id) event, timestamp from events order by timestamp desc limit 5',
      'select event, timestamp from events order by timestamp desc limit 1 by event, distinct_id limit 5',
    ],
    [
      'select ARRAY[1, 2] as a, array[3] as b, ARRAY[] as c, ARRAY[[1]][1] as d',
      'select [1, 2] as a, [3] as b, [] as c, [[1]][1] as d',
    ],
    ["select '[1]'::int[] as a, [[1]]::text[][] as b", "select '[1]'::array(int) as a, [[1]]::array(array(text)) as b"],
    [
      "select * from (values (1, 'a'), (2, null)) as t(n, name)",
      "select column1 as n, column2 as name from (select column1, column2 from numbers(1) array join [1, 2] as column1, ['a', null] as column2) as t",
    ],
    ['with t(a, b) as (select 1, 2) select a, b from t', 'with t as (select 1, 2) select `1` as a, `2` as b from t'],
    [
      'select substring(event from 2) as a, substring(event from 2 for 3) as b, substr(event for 3) as c from events',
      'select substring(event, 2) as a, substring(event, 2, 3) as b, substring(event, 1, 3) as c from events',
    ],
    ["select now() - interval '1 day 2 hours' as t", 'select now() - (interval 1 day + interval 2 hour) as t'],
    [
      "select now() + '1 mon -3 days 01:30'::interval as t",
      'select now() + (interval 1 month + interval -3 day + interval 1 hour + interval 30 minute) as t',
    ],
    [
      "select now() + (interval 1 hour + '2 hours 5 min'::interval) as t",
      'select now() + (interval 1 hour + interval 2 hour + interval 5 minute) as t',
    ],
    [
      "select split_part(event, ' ', 2) as a, split_part('a,b', ',', -1) as b from events",
      "select splitByString(' ', event)[2] as a, splitByString(',', 'a,b')[-1] as b from events",
    ],
    [
      'select to_char(timestamp, \'YYYY-MM-DD HH24:MI:SS "at" %\') as a from events',
      "select formatDateTime(timestamp, '%Y-%m-%d %H:%i:%S at %%') as a from events",
    ],
    [
      "select date_part('hour', timestamp) as a, date_part(day, timestamp) as b, datePart('doy', timestamp) as c from events",
      'select toHour(timestamp) as a, toDayOfMonth(timestamp) as b, toDayOfYear(timestamp) as c from events',
    ],
    ['select n from generate_series(1, 10, 3) as n', 'select n from (select 1 + number * 3 as n from numbers(4)) as n'],
    [
      'select n from generate_series(10, 1, -4) as t(n)',
      'select n from (select 10 + number * -4 as n from numbers(3)) as t',
    ],
    ['select generate_series(1, 3) as n', 'select arrayJoin(range(1, 3 + 1)) as n'],
    ['select unnest(properties.tags) as tag from events', 'select arrayJoin(properties.tags) as tag from events'],
    [
      'select e.event, t.tag from events e, unnest(e.properties.tags) as t(tag)',
      'select e.event, tag from events e array join e.properties.tags as tag',
    ],
    [
      'select event, x from events cross join lateral unnest([1, 2]) as x',
      'select event, x from events array join [1, 2] as x',
    ],
    [
      "select properties->>'plan' as a, properties->'b'->>'c' as d, properties->'l'->0 as e, properties->'l'->-1 as f from events",
      'select properties.plan as a, properties.b.c as d, properties.l[1] as e, properties.l[-1] as f from events',
    ],
    [
      "select lower(properties->>'plan') as a, arrayMap(x -> 'a', [1]) as b from events",
      "select lower(properties.plan) as a, arrayMap((x) -> 'a', [1]) as b from events",
    ],
    [
      "select [1] && [1, 2] as a, properties.tags && ['x'] as b from events",
      "select hasAny([1], [1, 2]) as a, hasAny(properties.tags, ['x']) as b from events",
    ],
    [
      "select event ~ 'a' as a, event ~* 'a' as b, event !~ 'a' as c, event !~* 'a' as d from events",
      "select event =~ 'a' as a, event =~* 'a' as b, event !~ 'a' as c, event !~* 'a' as d from events",
    ],
  ])('%s', (typed, known) => expect(withoutNames(compiled(typed))).toEqual(withoutNames(compiled(known))));
});

// Names that are made for the printed query are numbered as the tables and columns come.
function withoutNames({ sql, ...rest }: ReturnType<typeof compiled>) {
  const names = new Map<string, string>();
  return {
    ...rest,
    sql: sql.replace(
      /`(?:__[a-z]\d+|column\d|[12])`/g,
      (name) => names.get(name) ?? (names.set(name, `<${names.size}>`), `<${names.size - 1}>`),
    ),
  };
}

describe('names that are there come first', () => {
  test.each([
    ['a column named current_date', 'select current_date from (select 5 as current_date)'],
    ['an alias named current_date', 'select 5 as current_date, current_date + 1 as n'],
    ['a column named array', 'select array[1] as n from (select [5] as array)'],
    ['an argument of a lambda', 'select arrayMap(array -> array[1], [[5]]) as n'],
    ['a value of WITH', 'with [5] as array select array[1] as n'],
    [
      'a table named numbers, generate_series or unnest',
      'with numbers as (select 5 as n), unnest as (select 6 as m) select n, m from numbers, unnest',
    ],
    [
      'words that begin commands',
      'select show, describe, explain, values from (select 1 as show, 2 as describe, 3 as explain, 4 as values)',
    ],
  ])('%s', (_, text) => {
    const { sql } = compiled(text);
    expect(sql).not.toMatch(/now64|array\(1\)/);
  });
});

test('all functions that take a lambda are known to the parser', () => {
  const listed = [...scalarFunctions.values()].filter(({ args }) => args.includes('lambda')).map(({ name }) => name);
  // Functions of `array-functions.ts` that call it an array or a lambda.
  const others = Object.keys(arrayFunctions).filter((name) => {
    try {
      compiled(`select ${name}((x) -> 1, [1])`);
      return true;
    } catch {
      return false;
    }
  });
  expect([...new Set([...listed, ...others])].map((name) => name.toLowerCase()).sort()).toEqual(
    [...lambdaFunctions].sort(),
  );
});

test('VALUES is a query wherever one may stand', () => {
  expect(essence(parseSelect('values (1)'))).toEqual(
    essence(parseSelect('select column1 from numbers(1) array join [1] as column1')),
  );
  for (const text of [
    'select 1 in (values (1), (2))',
    'select * from (values (1)) t union all values (2)',
    '(values (1) limit 1)',
    'select (values (1))',
  ])
    expect(() => compiled(text)).not.toThrow();
});
