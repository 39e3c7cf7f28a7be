import { describe, expect, test } from '@jest/globals';
import { compileQuery } from './compile.ts';
import type { FilterCondition, QueryFilters } from './filters/query-filters.ts';
import { parseRequest, parseSelect, queryLengthMax } from './parse.ts';
import { QueryError } from './query-error.ts';

const fill = (part: string, before = 'select '): string =>
  (before + part.repeat(queryLengthMax)).slice(0, queryLengthMax);

/** CPU time. What is soon enough is measured once; the least of eight, if not: the machine and its collector are not what is measured. */
function measureMs(work: () => unknown, enoughMs: number): number {
  let leastMs = Infinity;
  for (let times = 0; times < 8 && leastMs >= enoughMs; times++) leastMs = Math.min(leastMs, measureOnceMs(work));
  return leastMs;
}

function measureOnceMs(work: () => unknown): number {
  const before = process.cpuUsage();
  try {
    work();
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

describe('64 KB of anything', () => {
  const texts = [
    ...[
      '(',
      'f(',
      'f() over (',
      'f() over (partition by ',
      'f() over () + ',
      '1+',
      '[',
      '- ',
      'not ',
      'a ',
      'a,',
      'x->',
      '(a,b)->',
      '(a,b,(',
      "'",
      '`',
      '/*',
      '--',
      'a.',
      'a?',
      '(select ',
      'case when ',
      'interval ',
      'a and ',
      'a||',
      'a ?? ',
      'cast(',
      '{',
      '1.',
      ' ',
      '\n',
      'exists(',
      'a?b:',
      'between 1 and ',
      '((((((((a',
      'a::',
      '""',
      'f()(',
      'array[',
      'array[1, ',
      "a->'b'->",
      "a->>'b' ",
      "f(a->'b', ",
      'a && ',
      'a ~ ',
      'substring(a from ',
      'substring(a for 1 from ',
      "interval '1 day 2 hours' + ",
      '{{',
      '{{a}} ',
      ':a ',
      '$1, ',
      '?, ',
      '%(',
      'a::int[]',
      'a::int[],',
      'form ',
      '1 form a, ',
    ].map((part) => fill(part)),
    ...['explain ', 'show ', 'describe ', 'explain select (', 'describe (', 'values (', 'values (1), '].map((part) =>
      fill(part, ''),
    ),
    fill('(1), ', 'values '),
    fill('1, ', 'values ('),
    fill('(values (1)), ', 'select * from '),
    fill('(values (', 'select * from '),
    fill('a, ', 'select distinct on ('),
    fill('a, ', 'with t('),
    fill('t(a) as (select 1), ', 'with '),
    fill('t(', 'with '),
    fill('a, ', 'select * from (select 1) t('),
    fill(', unnest(a) as b', 'select 1 from a'),
    fill(', lateral unnest(', 'select 1 from a'),
    `select interval '${'1 day '.repeat(10_000)}'`,
    `select interval '${' '.repeat(60_000)}'`,
    `show tables like '${'%'.repeat(60_000)}'`,
    ...['select * from (', 'select 1 union all ', 'with a as (', '(', 'select a join '].map((part) => fill(part, '')),
    fill(' join events', 'select 1 from events'),
    fill('event desc,', 'select 1 from events order by '),
    ...[
      ' any join events using (uuid)',
      ' array join [1] as a',
      ' array',
      ' left',
      ' semi anti',
      ' limit 1 by a',
      ' window w as ()',
      ' qualify 1',
    ].map((part) => fill(part, 'select 1 from events')),
    ...['select 1 except ', 'select * except (', 'select * except (a), '].map((part) => fill(part, '')),
    fill('a, ', 'select 1 from events join persons using ('),
    fill('[1] as a, ', 'select 1 from events array join '),
    fill('(a, b), ', 'select 1 from events group by grouping sets ('),
    fill('a with fill from 1 to 2, ', 'select 1 from events order by '),
    fill('a as a + 1, ', 'select 1 from events order by a with fill interpolate ('),
    fill('x as (select 1 union all select 2), ', 'with recursive '),
    fill("trim(both 'x' from ", 'select '),
    fill('extract(year from ', 'select '),
    fill('w as (), ', 'select 1 from events window '),
    fill('sum(1) over w, '),
    fill('count() filter (where ', 'select '),
    ...[
      "f'{",
      "f'a{b}' || ",
      "f'a{{",
      "f'a{'b'}' ",
      "{'a': ",
      "{'a': 1}, ",
      '(a as b) + ',
      '(a as ',
      'a[1:',
      'a[:2], ',
      'a[:',
      "COLUMNS('a'), ",
      'COLUMNS(',
      't.COLUMNS(',
      '* replace (1 as a), ',
      'COLUMNS(* replace (',
      '* replace 1 as a, ',
    ].map((part) => fill(part)),
    ...['(', '((select 1) s, ', '((select 1) s join (', '(a join b on x) join (', '(a, '].map((part) =>
      fill(part, 'select 1 from '),
    ),
    fill(' natural join events', 'select 1 from events'),
    fill('1 as a, ', 'select * replace ('),
    `select 1 from ${'('.repeat(20_000)}select 1${')'.repeat(20_000)}`,
    `select a${'[1:2]'.repeat(10_000)}`,
    `select a${'::int'.repeat(10_000)}`,
    `select a${'[1]'.repeat(15_000)}`,
    `select a::${'array('.repeat(9_000)}`,
    `select a${' as b'.repeat(12_000)}`,
  ];

  // The promise is 50 ms on an idle machine; the bound leaves room for a busy one and still catches anything quadratic.
  test.each(texts.map((text) => [text.slice(0, 40), text]))('is read or refused in linear time: %s', (_, text) => {
    expect(measureMs(() => parseRequest(text), 400)).toBeLessThan(400);
  });

  test('longer texts are refused unread', () => {
    expect(() => parseSelect(' '.repeat(queryLengthMax + 1))).toThrow(
      expect.objectContaining({ code: 'query_too_large' }),
    );
  });
});

describe('compiling', () => {
  const alias = Array.from({ length: 2_000 }, (_, index) => `a${index} + a${index} as a${index + 1}`).join(', ');
  const nestedBetween = (depth: number): string =>
    depth === 0 ? 'properties.n' : `(${nestedBetween(depth - 1)} between 1 and 2)`;
  const ctes = Array.from(
    { length: 500 },
    (_, index) => `w${index + 1} as (select a from w${index} union all select a from w${index})`,
  ).join(', ');
  test.each([
    [
      'many conditions',
      `select 1 from events where ${Array.from({ length: 1_500 }, (_, index) => `event = 'e${index}'`).join(' or ')}`,
    ],
    [
      'a long list',
      `select 1 from events where properties.n in (${Array.from({ length: 8_000 }, (_, index) => index).join(',')})`,
    ],
    ['aliases that double', `select 1 as a0, ${alias}`],
    ['BETWEEN in BETWEEN', `select ${nestedBetween(80)} from events`],
    ['IN a property in IN a property', `select ${'('.repeat(80)}1${' in properties.n)'.repeat(80)} from events`],
    ['equals() in equals()', `select ${'equals('.repeat(80)}properties.n${', properties.m)'.repeat(80)} from events`],
    [
      'a name like thousands of others',
      `with w as (select ${Array.from({ length: 700 }, (_, index) => `1 as ${'a'.repeat(60)}${index}`).join(', ')}) select ${'a'.repeat(52)}bcdefghij from w t ${Array.from({ length: 49 }, (_, index) => `cross join w t${index}`).join(' ')}`,
    ],
    ['a long path of a property', `select properties.x${'.a'.repeat(32_000)} from events`],
    ['aggregates inside lambdas', `select ${'arrayMap(x -> '.repeat(40)}count()${', [1])'.repeat(40)} from events`],
    [
      'lists that are compared over and over',
      `select ${Array.from({ length: 1_500 }, () => "properties.a && ARRAY['x']").join(', ')} from events`,
    ],
    [
      'formats that are translated',
      `select ${Array.from({ length: 230 }, () => `to_char(timestamp, '${'YYYY-'.repeat(49)}')`).join(', ')} from events`,
    ],
    ['rows of values', `select * from (values ${Array.from({ length: 8_000 }, (_, n) => `(${n})`).join(',')}) as t(n)`],
    [
      'an explained query of many conditions',
      `explain select 1 from events where ${Array.from({ length: 1_500 }, (_, index) => `event = 'e${index}'`).join(' and ')}`,
    ],
    [
      'an explained query of many queries',
      `explain ${Array.from({ length: 100 }, (_, index) => `select properties.p${index} from events`).join(' union all ')}`,
    ],
    ['CTEs that double', `with w0 as (select 1 as a), ${ctes} select a from w500`],
    [
      'one window in many places',
      `select ${'sum(1) over w + '.repeat(150)} 1 from events window w as (order by ${Array.from({ length: 2_000 }, (_, index) => `event || '${index}'`).join(', ')})`,
    ],
    [
      'many windows',
      `select 1 from events window ${Array.from({ length: 2_000 }, (_, index) => `w${index} as (order by event)`).join(', ')}`,
    ],
    [
      'many arrays',
      `select ${Array.from({ length: 2_000 }, (_, index) => `a${index}`).join(', ')} from events array join ${Array.from({ length: 2_000 }, (_, index) => `[1] as a${index}`).join(', ')}`,
    ],
    [
      'many joins with USING',
      `select uuid from events ${Array.from({ length: 49 }, (_, index) => `join events e${index} using (uuid, event)`).join(' ')}`,
    ],
    ['many set operations', Array.from({ length: 400 }, (_, index) => `select ${index}`).join(' except ')],
    ['stars with columns left out', `select ${'* except (event), '.repeat(1_500)} 1 from events`],
    [
      'a wide ROLLUP',
      `select ${"coalesce(properties.a, 'x'), ".repeat(1_500)} 1 from events group by rollup(coalesce(properties.a, 'x'), event)`,
    ],
    [
      'many GROUPING SETS',
      `select 1 from events group by grouping sets (${Array.from({ length: 64 }, () => `(${Array.from({ length: 60 }, (_, index) => `properties.a${index}`).join(', ')})`).join(', ')})`,
    ],
    [
      'WITH FILL over wide columns',
      `select ${'length(event), '.repeat(3_000)} 1 from events order by ${Array.from({ length: 10 }, () => 'length(distinct_id) with fill').join(', ')}`,
    ],
    [
      'BETWEEN in BETWEEN as the key of WITH FILL',
      `select ${nestedBetween(80)} from events order by ${nestedBetween(80)} with fill`,
    ],
    [
      'BETWEEN in BETWEEN beside the key of WITH FILL',
      `select ${nestedBetween(80)}, length(event) from events order by length(event) with fill`,
    ],
    [
      'tuples that double as the key of WITH FILL',
      `select (event, event) as t0, ${Array.from({ length: 80 }, (_, index) => `(t${index}, t${index}) as t${index + 1}`).join(', ')}, (t80, 1) from events order by (t80, 1) with fill`,
    ],
    [
      'recursion in recursion',
      `with recursive ${Array.from({ length: 300 }, (_, index) => `w${index} as (select 1 as n union all select n + 1 from w${index})`).join(', ')} select 1`,
    ],
    [
      'aliases inside expressions that double',
      `select 1 as a0, ${Array.from({ length: 1_500 }, (_, index) => `(a${index} + a${index} as a${index + 1}) + 0`).join(', ')}`,
    ],
    [
      'aliases inside expressions, the first of the last',
      `select ${Array.from({ length: 1_500 }, (_, index) => `(a${index + 1} + 1 as a${index}) + 0`).join(', ')}, 1 as a1500`,
    ],
    [
      'aliases inside a lambda that double',
      `select arrayMap(a0 -> ${Array.from({ length: 60 }, (_, index) => `(a${index} + a${index} as a${index + 1})`).join(' + ')}, [1])`,
    ],
    ...[
      ', count() from events',
      ', event from events group by event',
      ' from events where ',
      ' from events group by ',
    ].map((rest): [string, string] => {
      const doubling = `arrayMap(a0 -> ${Array.from({ length: 60 }, (_, index) => `(a${index} + a${index} as a${index + 1})`).join(' + ')}, [1])`;
      return [
        `aliases inside a lambda that double, in the SELECT list${rest}…`,
        `select ${doubling}${rest}${rest.endsWith(' ') ? `${doubling}[1] = 1` : ''}`,
      ];
    }),
    [
      'aliases of aliases as keys of GROUP BY',
      `select 1 + number as a0, ${Array.from({ length: 1_600 }, (_, index) => `-a${index} as a${index + 1}`).join(', ')} from numbers(1) group by ${Array.from({ length: 1_600 }, (_, index) => `a${index}`).join(', ')} order by ${Array.from({ length: 1_600 }, (_, index) => `a${index}`).join(', ')}`,
    ],
    ['slices of slices', `select range(9)${'[length(event):1]'.repeat(150)} from events`],
    ['templates in templates', `select ${"f'a{".repeat(90)}event${"}'".repeat(90)} from events`],
    [
      'patterns over wide sub-queries',
      `with w as (select ${Array.from({ length: 2_000 }, (_, index) => `1 as ${'a'.repeat(12)}${index}`).join(', ')}) select ${"COLUMNS('(a*)*(a*)*b'), ".repeat(400)} 1 from ${Array.from({ length: 40 }, (_, index) => `w w${index}`).join(', ')}`,
    ],
    ['patterns of many steps', `select ${"COLUMNS('((.*)*(.*)*){20}event$'), ".repeat(1_500)} 1 from events`],
    [
      'wide natural joins',
      `with w as (select ${Array.from({ length: 3_000 }, (_, index) => `1 as a${index}`).join(', ')}) select 1 from w t ${Array.from({ length: 49 }, (_, index) => `natural full join w t${index}`).join(' ')}`,
    ],
    [
      'natural joins of many columns',
      `with w as (select ${Array.from({ length: 40 }, (_, index) => `1 as a${index}`).join(', ')}) select * from w t ${Array.from({ length: 49 }, (_, index) => `natural full join w t${index}`).join(' ')}`,
    ],
    [
      'a wide REPLACE',
      `select * replace (${Array.from({ length: 2_500 }, (_, index) => `1 as a${index}`).join(', ')}) from (select ${Array.from({ length: 2_500 }, (_, index) => `2 as a${index}`).join(', ')})`,
    ],
    [
      'many natural joins',
      `select 1 from (select 1 as a) t ${Array.from({ length: 49 }, (_, index) => `natural full join (select 1 as a, 2 as b${index}) t${index}`).join(' ')}`,
    ],
    ['a wide star', `select ${'*, '.repeat(2_000)} 1 from events`],
  ])('takes no more than its share of time: %s', (_, text) => {
    expect(measureMs(() => compileQuery({ text, rowsMax: 100 }), 2_000)).toBeLessThan(2_000);
  });
});

describe('what a statement or its values would multiply', () => {
  const fullJoins = (count: number): string =>
    Array.from({ length: count }, (_, index) => `full join events a${index} using event`).join(' ');
  const condition = (key: string, values: number): FilterCondition => ({
    subject: { of: 'event' },
    key,
    test: { operator: 'contains', values: Array.from({ length: values }, () => 'a') },
  });
  const filters = (conditions: number, values: number): QueryFilters => ({
    from: undefined,
    to: undefined,
    conditions: { all: true, members: Array.from({ length: conditions }, () => condition('k', values)) },
  });
  const uses = (part: string, count: number): string =>
    `select 1 from events where ${Array.from({ length: count }, () => part).join(' and ')}`;
  const texts = (count: number): string[] => Array.from({ length: count }, (_, index) => `text ${index}`);

  type Input = Parameters<typeof compileQuery>[0];
  const hostile: [string, Input][] = [
    [
      'a merged column of many joins in many places',
      { text: `select ${'event, '.repeat(6_000)} 1 from events ${fullJoins(380)}`, rowsMax: 100 },
    ],
    [
      'a merged column of as many joins as there may be',
      { text: `select ${'event, '.repeat(6_000)} 1 from events ${fullJoins(49)}`, rowsMax: 100 },
    ],
    ['filters in many places', { text: uses('{filters}', 400), filters: filters(20, 100), rowsMax: 100 }],
    ['many filters in many places', { text: uses('{filters}', 20), filters: filters(200, 1_000), rowsMax: 100 }],
    [
      'filters of nothing but groups',
      {
        text: uses('{filters}', 4_000),
        filters: {
          from: undefined,
          to: undefined,
          conditions: { all: true, members: Array.from({ length: 30_000 }, () => ({ all: true, members: [] })) },
        },
        rowsMax: 100,
      },
    ],
    ['a long list in many places', { text: uses(`'a' in {x}`, 3_500), values: { x: texts(10_000) }, rowsMax: 100 }],
    [
      'more columns than anybody reads',
      { text: `select ${'z,'.repeat(13_000)} 1 from (select ${'1,'.repeat(15_000)} 1 as z)`, rowsMax: 100 },
    ],
    ['stars that are more columns than that', { text: `select ${'*, '.repeat(1_000)} 1 from events`, rowsMax: 100 }],
    ['a list of too many texts', { text: uses('event in {x}', 1), values: { x: texts(200_000) }, rowsMax: 100 }],
  ];

  // As above: the bound leaves room for a busy machine.
  test.each(hostile)('is refused before it is built: %s', (_, input) => {
    expect(() => compileQuery(input)).toThrow(expect.objectContaining({ code: 'query_too_large' }));
    expect(measureMs(() => compileQuery(input), 400)).toBeLessThan(400);
  });

  test.each([
    'has({x}, event)',
    'event in {x}',
    'event not in {x}',
    'timestamp in {x}',
    'properties.a in {x}',
    'toString(event) in {x}',
  ])('a list is converted and bound once, however often it is named: %s', (part) => {
    const x = Array.from({ length: 7_000 }, (_, index) => new Date(index * 86_400_000).toISOString());
    const input = { text: uses(part, 1_000), values: { x }, rowsMax: 100 };
    expect(Object.keys(compileQuery(input).params)).toEqual(['p0']);
    expect(measureMs(() => compileQuery(input), 400)).toBeLessThan(400);
  });

  test('a list that was converted once serves other columns of its type', () => {
    const compiled = (text: string) => compileQuery({ text, values: { x: ['1', '2'] }, rowsMax: 100 }).sql;
    expect(compiled('select length(event) in {x}, length(distinct_id) in {x} from events')).toContain(
      'in(length(`__t0`.`distinct_id`), [1, 2])',
    );
  });

  test.each([
    ['columns of a wide sub-query', `select ${'z,'.repeat(3_900)} 1 from (select ${'1,'.repeat(3_900)} 1 as z)`],
    ...[
      "JSONExtract(properties, '",
      "JSONExtractKeysAndValues(properties, '",
      "cast(properties.n, '",
      "accurateCastOrNull([1], '",
    ].flatMap((call): [string, string][] => [
      [`a type that is never closed: ${call}`, `select ${call}${'array('.repeat(10_000)}') from events`],
      [`a deep type: ${call}`, `select ${call}${'Array('.repeat(9_000)}Int64${')'.repeat(9_000)}') from events`],
      [`a type with much room: ${call}`, `select ${call}${'nullable'.padEnd(60_000)}(Int64)') from events`],
    ]),
    [
      'a list of types that never meet',
      `select event in (${'now(),'.repeat(5_000)}${'pi(),'.repeat(5_000)}1) from events`,
    ],
    [
      'keys of an aggregate in turns',
      `select groupArray(event order by ${'event desc,event,'.repeat(3_600)} event) from events`,
    ],
    [
      'a UNION of numbers of two kinds',
      `select 1${' union all select 1.5 union all select count() from events'.repeat(1_000)}`,
    ],
    ['the greatest of properties in many columns', `select ${'max(properties.a),'.repeat(3_000)} 1 from events`],
  ])('is resolved in linear time: %s', (_, text) => {
    expect(measureMs(() => compileQuery({ text, rowsMax: 100 }), 400)).toBeLessThan(400);
  });

  test('a list of 100,000 texts is bound once for its uses', () => {
    const x = texts(100_000);
    const { params } = compileQuery({ text: `${uses('event in {x}', 3)} and {x} = {x}`, values: { x }, rowsMax: 100 });
    expect(params).toEqual({ p0: x });
  });

  test('what people write passes: 20 filters of 100 values in several places, 49 joins', () => {
    expect(() => compileQuery({ text: uses('{filters}', 1), filters: filters(20, 100), rowsMax: 100 })).not.toThrow();
    expect(() => compileQuery({ text: `select event from events ${fullJoins(49)}`, rowsMax: 100 })).not.toThrow();
  });

  test('a FROM of too many tables is refused at the table that is one too many', () => {
    const text = `select 1 from events ${fullJoins(50)}`;
    expect(() => compileQuery({ text, rowsMax: 100 })).toThrow(
      expect.objectContaining({
        code: 'query_too_large',
        position: expect.objectContaining({ start: text.indexOf('events a49') }),
      }),
    );
  });

  test('a merged column is nullable as soon as a later join may miss its table', () => {
    const { sql } = compileQuery({
      text: "select event from events join events b using event full join events c using event where event != 'x'",
      rowsMax: 100,
    });
    expect(sql).toContain('ifNull(notEquals(coalesce(');
  });
});
