import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { compileQuery } from '@millrace/query-language/compile.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../test/tenant.ts';

const own = randomTeamId();
const other = own + 1;
// Its days lie in three months, the last with more rows than one granule has.
const long = own + 2;
const person = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

let tenant: TestTenant;

beforeAll(async () => {
  tenant = await openTenant();
  const insert = (table: string, values: object[]) => tenant.insert({ [table]: values });
  await insert('events', [
    event(
      own,
      'a',
      'd1',
      person(1),
      '00:00',
      { tags: 'x,y', items: '["p","q"]', n: '1' },
      String.raw`a.btn:attr_id="go"href="/x?a=1"text="Go \"now\"";div:text="Outer";button:attr__text="no"attr_id="b2"`,
    ),
    event(own, 'b', 'd1', person(1), '00:05', { n: '2' }),
    event(own, 'a', 'd2', person(2), '01:00', { n: '3' }),
    event(other, 'SECRET', 'd1', person(1), '00:01', { tags: 'SECRET', n: '9' }, 'a:text="SECRET"'),
  ]);
  await insert(
    'events',
    ['01-05', '02-05', '03-05'].map((day) => ({
      ...event(long, 'e', 'd', person(1), '00:00', {}),
      timestamp: `2026-${day} 00:00:00`,
    })),
  );
  // ClickHouse reads 8,192 rows at a time, some of them of other suites.
  await insert(
    'events',
    Array.from({ length: 30_000 }, (_, n) => ({
      ...event(long, 'e', 'd', person(1), '00:00', {}),
      timestamp: `2026-03-${n % 10 === 0 ? '20' : '10'} 00:00:00`,
    })),
  );
  await insert('persons', [personRow(own, 1), personRow(own, 3), personRow(other, 2)]);
  await insert(
    'person_distinct_ids',
    [
      [own, 'd1', 1],
      [own, 'd1b', 1],
      [other, 'd2', 2],
      [other, 'd9', 1],
    ].map(([team_id, distinct_id, n]) => ({
      team_id,
      distinct_id,
      person_id: person(Number(n)),
      is_deleted: false,
      version: 1,
    })),
  );
});
afterAll(() => tenant?.close());

function event(
  team_id: number,
  name: string,
  distinct_id: string,
  person_id: string,
  time: string,
  properties: Record<string, string>,
  elements_chain = '',
) {
  const none = { person_mode: 'full', person_properties_text: '{}', person_properties: {} };
  const at = `2026-01-02 ${time}:00`;
  return {
    team_id,
    uuid: crypto.randomUUID(),
    event: name,
    distinct_id,
    timestamp: at,
    created_at: at,
    person_id,
    ...none,
    properties_text: JSON.stringify(properties),
    properties,
    elements_chain,
  };
}

function personRow(team_id: number, n: number) {
  return {
    team_id,
    id: person(n),
    created_at: '2026-01-01 00:00:00',
    is_identified: true,
    is_deleted: false,
    version: 1,
    properties_text: `{"email":"e${n}"}`,
    properties: { email: `e${n}` },
  };
}

interface Reply {
  data: unknown;
  statistics: { rows_read: number };
}

async function responseOf(text: string, team: number): Promise<Reply> {
  const { sql, params } = compileQuery({ text, rowsMax: 100 });
  return JSON.parse(await tenant.send(team, { sql: `${sql}\nFORMAT JSONCompact`, params })) as Reply;
}

async function rowsOf(text: string): Promise<unknown> {
  return (await responseOf(text, own)).data;
}

// The other project has rows that every one of these would show if a table of it were read without its policy.
const cases: readonly [promise: string, statement: string, rows: unknown[]][] = [
  [
    'ARRAY JOIN: a row an item',
    "select event, tag from events array join splitByChar(',', properties.tags) as tag where tag != '' order by tag",
    [
      ['a', 'x'],
      ['a', 'y'],
    ],
  ],
  [
    'LEFT ARRAY JOIN keeps rows without items, with the empty value of the type',
    'select n, item, place from (select properties.n as n, JSONExtractArrayRaw(properties.items) as items from events) left array join items as item, arrayEnumerate(items) as place order by n, place',
    [
      ['1', '"p"', 1],
      ['1', '"q"', 2],
      ['2', '', 0],
      ['3', '', 0],
    ],
  ],
  [
    'an item hides the column of its name',
    "select distinct event from events array join ['item'] as event",
    [['item']],
  ],
  [
    'LIMIT BY: so many of each',
    'select event, properties.n from events order by timestamp limit 1 by event',
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  [
    'LIMIT BY with an offset, and a LIMIT of all',
    'select event, properties.n from events order by timestamp limit 1 offset 1 by event limit 5',
    [['a', '3']],
  ],
  [
    'WITH TIES: those that sort the same as the last',
    'select event from events order by event limit 1 with ties',
    [['a'], ['a']],
  ],
  ['WITH TIES behind an offset', 'select event from events order by event limit 1 offset 1 with ties', [['a']]],
  [
    'USING: the column is one',
    'select distinct_id, count() from events join person_distinct_ids using (distinct_id) group by distinct_id',
    [['d1', 2]],
  ],
  [
    'USING of a RIGHT JOIN: the side that has the row',
    'select distinct_id, event from events right join (select distinct_id from person_distinct_ids) d using (distinct_id) order by 1, 2',
    [
      ['d1', 'a'],
      ['d1', 'b'],
      ['d1b', null],
    ],
  ],
  [
    'USING of a FULL JOIN: whichever side has it',
    'select distinct_id, event, d.one from events full join (select distinct_id, 1 as one from person_distinct_ids) d using distinct_id order by 1, 2',
    [
      ['d1', 'a', 1],
      ['d1', 'b', 1],
      ['d1b', null, 1],
      ['d2', 'a', null],
    ],
  ],
  [
    'USING in *: once',
    "select * from (select 1 as k, 'l' as l) a join (select 1 as k, 'r' as r) b using (k)",
    [[1, 'l', 'r']],
  ],
  [
    'ANY: at most one row of the other side',
    'select p.id, e.event is not null from persons p any left join events e on e.person_id = p.id order by 1',
    [
      [person(1), 1],
      [person(3), 0],
    ],
  ],
  ['SEMI: those that have one', 'select p.id from persons p semi join events e on e.person_id = p.id', [[person(1)]]],
  [
    'ANTI: those that have none, NULL beside them',
    'select p.id, e.event from persons p anti join events e on e.person_id = p.id',
    [[person(3), null]],
  ],
  [
    'RIGHT ANTI: the other way round',
    'select p.id, e.distinct_id from persons p right anti join events e on e.person_id = p.id',
    [[null, 'd2']],
  ],
  [
    'ASOF: the nearest row, NULL without one',
    'select e.event, f.event from events e asof left join events f on e.distinct_id = f.distinct_id and e.timestamp < f.timestamp order by e.timestamp',
    [
      ['a', 'b'],
      ['b', null],
      ['a', null],
    ],
  ],
  [
    'ASOF with USING: the last column is the nearest',
    "select e.at, f.at from (select 'd1' as distinct_id, toDateTime('2026-01-02 00:03:00') as at) e asof join (select distinct_id, timestamp as at from events) f using (distinct_id, at)",
    [['2026-01-02 00:03:00.000000', '2026-01-02 00:00:00.000000']],
  ],
  ['UNION DISTINCT', 'select event from events union distinct select event from events order by 1', [['a'], ['b']]],
  [
    'EXCEPT takes away as many as there are, EXCEPT DISTINCT all',
    "select count() from (select event from events except select 'a') union all select count() from (select event from events except distinct select 'a')",
    [[2], [1]],
  ],
  ['INTERSECT binds tighter', 'select 1 as n union all select 2 intersect select 3', [[1]]],
  ['EXCEPT and UNION group from the left', 'select 1 as n except select 1 union all select 1', [[1]]],
  [
    'a set inside IN',
    "select distinct event from events where event in (select event from events except distinct select 'a')",
    [['b']],
  ],
  [
    'a window with a name, twice',
    'select event, row_number() over w, count() over w from events window w as (partition by event order by timestamp) order by timestamp',
    [
      ['a', 1, 1],
      ['b', 1, 1],
      ['a', 2, 2],
    ],
  ],
  [
    'a window over an alias',
    'select upper(event) as kind, row_number() over w as place from events window w as (partition by kind order by timestamp) order by timestamp',
    [
      ['A', 1],
      ['B', 1],
      ['A', 2],
    ],
  ],
  [
    'QUALIFY',
    'select event, properties.n from events qualify row_number() over (partition by event order by timestamp desc) = 1 order by event',
    [
      ['a', '3'],
      ['b', '2'],
    ],
  ],
  [
    'QUALIFY behind WINDOW and groups',
    'select event, count() as n from events group by event window w as (order by n desc) qualify rank() over w = 1',
    [['a', 2]],
  ],
  [
    'GROUP BY ALL',
    'select event, toHour(timestamp) as hour, count(), max(properties.n) from events group by all order by 1, 2',
    [
      ['a', 0, 1, '1'],
      ['a', 1, 1, '3'],
      ['b', 0, 1, '2'],
    ],
  ],
  [
    'FILTER',
    "select count() filter (where event = 'a'), sum(properties.n) filter (where properties.n > 1), count(distinct distinct_id) filter (where event = 'b') from events",
    [[2, 5, 1]],
  ],
  ['* EXCEPT', 'select * except (b, d) from (select 1 as a, 2 as b, 3 as c, 4 as d)', [[1, 3]]],
  [
    'what was clicked on',
    "select elements_chain_href, elements_chain_texts, elements_chain_ids, elements_chain_elements from events where elements_chain != ''",
    [['/x?a=1', ['Go "now"', 'Outer'], ['go', 'b2'], ['a', 'button']]],
  ],
  [
    'a person with each of its distinct ids',
    'select properties.email, pdi.distinct_id from persons order by 2',
    [
      ['e1', 'd1'],
      ['e1', 'd1b'],
    ],
  ],
  [
    'an outer join of a sub-query whose columns are called c0 and c1',
    "select a.c1, a.c0 from (select 'd2' as who) x left join (select event as c1, distinct_id as c0 from events) a on a.c0 = x.who",
    [['a', 'd2']],
  ],
  [
    'IN on times of whole seconds',
    "select h, count() from (select toStartOfHour(timestamp) as h from events) where h in ('2026-01-02', '2026-01-02 01:00:00', '2026-01-02 01:00:00.5') group by h order by h",
    [
      ['2026-01-02 00:00:00', 2],
      ['2026-01-02 01:00:00', 1],
    ],
  ],
  [
    'an outer join on a distinct id',
    'select e.event, p.properties.email from events e left join persons p on p.pdi.distinct_id = e.distinct_id order by e.timestamp',
    [
      ['a', 'e1'],
      ['b', 'e1'],
      ['a', null],
    ],
  ],
  [
    'a map; a key that is not there is NULL',
    "select map('n', properties.n, 'event', event) as m, m['event'], m['nope'], mapKeys(m) from events where event = 'b'",
    [[{ n: '2', event: 'b' }, 'b', null, ['n', 'event']]],
  ],
  [
    'dateAdd by unit',
    "select dateAdd('day', 1, toDate('2026-01-31')), date_sub('month', 1, toDate('2026-03-31'))",
    [['2026-02-01', '2026-02-28']],
  ],
  [
    'a default of lag',
    "select lag(event, 1, 'first') over (order by timestamp) from events order by timestamp",
    [['first'], ['a'], ['b']],
  ],
  [
    'ROLLUP: NULL for what a row is not grouped by',
    'select event, distinct_id, count(), grouping(distinct_id) from events group by rollup(event, distinct_id) order by 1, 2',
    [
      ['a', 'd1', 1, 0],
      ['a', 'd2', 1, 0],
      ['a', null, 2, 1],
      ['b', 'd1', 1, 0],
      ['b', null, 1, 1],
      [null, null, 3, 1],
    ],
  ],
  [
    'ROLLUP of a key that is never NULL',
    "select coalesce(properties.tags, 'none') as tags, count() from events group by rollup(tags) having tags != 'none' order by 1",
    [
      ['x,y', 1],
      [null, 3],
    ],
  ],
  [
    'CUBE: every combination',
    'select event, distinct_id, count() from events group by cube(1, 2) having event is null order by 2',
    [
      [null, 'd1', 2],
      [null, 'd2', 1],
      [null, null, 3],
    ],
  ],
  [
    'GROUPING SETS',
    'select event, distinct_id, count() from events group by grouping sets ((event), (distinct_id), ()) order by 1, 2',
    [
      ['a', null, 2],
      ['b', null, 1],
      [null, 'd1', 2],
      [null, 'd2', 1],
      [null, null, 3],
    ],
  ],
  [
    'ROLLUP by items of ARRAY JOIN',
    "select tag, count() from events array join splitByChar('a', event) as tag group by rollup(tag) order by 1",
    [
      ['', 4],
      ['b', 1],
      [null, 5],
    ],
  ],
  [
    'ROLLUP by what WITH cuts out of a column, beside the column',
    "with splitByChar(' ', event) as w select w[1] as first, event, count() from events group by rollup(first, event) order by 1, 2",
    [
      ['a', 'a', 2],
      ['a', null, 2],
      ['b', 'b', 1],
      ['b', null, 1],
      [null, null, 3],
    ],
  ],
  [
    'ROLLUP behind a join of sub-queries and USING',
    "select event, p.email, count() from events e join (select id, properties.email as email from persons) p on p.id = e.person_id group by rollup(event, p.email) having event = 'a' order by 2",
    [
      ['a', 'e1', 1],
      ['a', null, 1],
    ],
  ],
  [
    'a key of ROLLUP that is never NULL, cut up',
    "select coalesce(properties.tags, 'none') as tags, splitByChar(',', tags) as parts, count() from events group by rollup(tags) order by 1",
    [
      ['none', ['none'], 2],
      ['x,y', ['x', 'y'], 1],
      [null, [''], 3],
    ],
  ],
  [
    'a constant among the keys of ROLLUP keeps its value',
    'select 5 as a, round(properties.n, 5) as r, count() from events where properties.n < 5 group by rollup(1, 2) order by 2',
    [
      [5, 1, 1],
      [5, 2, 1],
      [5, 3, 1],
      [5, null, 3],
    ],
  ],
  [
    'the rows of ROLLUP in a query around it',
    'select n from (select event, count() as n from events group by event with rollup) where event is null',
    [[3]],
  ],
  [
    'WITH FILL: rows in between, of times and with what INTERPOLATE says',
    'select toStartOfHour(timestamp) as hour, count() as n from events group by hour order by hour with fill step interval 30 minute interpolate (n as n * 10)',
    [
      ['2026-01-02 00:00:00.000000', 2],
      ['2026-01-02 00:30:00.000000', 20],
      ['2026-01-02 01:00:00.000000', 1],
    ],
  ],
  [
    'WITH FILL: INTERPOLATE without a list, of all columns but those of ORDER BY',
    "select lower(event) as e, 7 as x, number as h, h * 10 as y from (select 'A' as event, arrayJoin([1, 3]) as number) order by lower(event), h with fill interpolate",
    [
      ['a', 7, 1, 10],
      ['a', 7, 2, 10],
      ['a', 7, 3, 30],
    ],
  ],
  [
    'WITH FILL: the same in a sub-query',
    "select x, y from (select lower(event) as e, 7 as x, number as h, h * 10 as y from (select 'A' as event, arrayJoin([1, 3]) as number) order by lower(event), h with fill interpolate) order by y",
    [
      [7, 10],
      [7, 10],
      [7, 30],
    ],
  ],
  [
    'WITH FILL: from and to, of dates',
    "select toDate(timestamp) as day, count() as n from events group by day order by day with fill from '2026-01-01' to toDate('2026-01-04')",
    [
      ['2026-01-01', 0],
      ['2026-01-02', 3],
      ['2026-01-03', 0],
    ],
  ],
  [
    'ORDER BY ALL',
    'select event, toInt(properties.n) as n from events order by all desc',
    [
      ['b', 2],
      ['a', 3],
      ['a', 1],
    ],
  ],
  [
    'WITH RECURSIVE: whole numbers of 64 bits from a small one',
    'with recursive t as (select 1 as n, 1 as f union all select n + 1, f * (n + 1) from t where n < 20) select f from t where n = 20',
    [[2432902008176640000]],
  ],
  [
    'WITH RECURSIVE over the own rows alone',
    "with recursive path as (select distinct_id, event, timestamp as at, 1 as step from events where event = 'a' union all select e.distinct_id, e.event, e.timestamp, step + 1 from path join events e on e.distinct_id = path.distinct_id where e.timestamp > at) select distinct_id, step, event from path order by 1, 2",
    [
      ['d1', 1, 'a'],
      ['d1', 2, 'b'],
      ['d2', 1, 'a'],
    ],
  ],
  [
    'WITH RECURSIVE: a NULL in a later step',
    'with recursive t as (select 1 as n, 1 as at union all select null, at + 1 from t where at < 2) select n from t order by at',
    [[1], [null]],
  ],
  [
    'WITH RECURSIVE: NULL to begin with, text in a later step',
    "with recursive t as (select null as v, 1 as at union all select 'x', at + 1 from t where at < 2) select v from t order by at",
    [[null], ['x']],
  ],
  [
    'WITH RECURSIVE: a path of numbers, beyond those of 8 bits',
    'with recursive t as (select [1] as path, 1 as n union all select arrayPushBack(path, n + 299), n + 1 from t where n < 2) select path from t order by n desc limit 1',
    [[[1, 300]]],
  ],
  [
    'WITH RECURSIVE: times keep their fractions',
    "with recursive t as (select toStartOfHour(toDateTime('2026-01-01')) as at, 1 as n union all select toDateTime('2026-01-01 00:00:00.001'), n + 1 from t where n < 2) select at from t order by n desc limit 1",
    [['2026-01-01 00:00:00.001000']],
  ],
  [
    'states of aggregates are merged',
    'select uniqMerge(s), countMerge(c) from (select event, uniqState(distinct_id) as s, countState() as c from events group by event)',
    [[2, 3]],
  ],
  [
    'DISTINCT and FILTER with a window',
    "select event, count(distinct distinct_id) over (partition by event), count() filter (where event = 'b') over () from events order by timestamp",
    [
      ['a', 2, 1],
      ['b', 1, 1],
      ['a', 2, 1],
    ],
  ],
  ['pairs are counted', 'select count(distinct event, distinct_id) from events', [[3]]],
  [
    'a sequence within so many seconds',
    "select distinct_id, sequenceMatch('(?1)(?t<=600)(?2)')(timestamp, event = 'a', event = 'b') from events group by distinct_id order by 1",
    [
      ['d1', 1],
      ['d2', 0],
    ],
  ],
  [
    'a day of another time zone',
    "select toDate(timestamp, 'America/New_York'), toHour(timestamp, 'Asia/Tokyo') from events order by timestamp limit 1",
    [['2026-01-01', 9]],
  ],
  [
    'an alias inside an expression, also before it',
    'select m, (properties.n + 1 as m) * 2 from events where m > 2 order by m',
    [
      [3, 6],
      [4, 8],
    ],
  ],
  [
    'an alias of an aggregate and of a window',
    'select event, (count() as n) * 10, (sum(n) over () as total) - n from events group by event having n > 0 order by event',
    [
      ['a', 20, 1],
      ['b', 10, 2],
    ],
  ],
  [
    'an alias that is a key',
    'select kind, count() from events group by (upper(event) as kind) order by kind',
    [
      ['A', 2],
      ['B', 1],
    ],
  ],
  [
    'an alias behind ROLLUP',
    "select (coalesce(properties.tags, 'none') as t) || '!', t, count() from events group by rollup(t) order by t",
    [
      ['none!', 'none', 2],
      ['x,y!', 'x,y', 1],
      ['!', null, 3],
    ],
  ],
  [
    'an alias inside a lambda',
    'select arrayMap(x -> (x + 1 as y) * y + m, [1, 2]) from events where (toInt(properties.n) as m) = 3',
    [[[7, 12]]],
  ],
  [
    'an alias that is first named inside a lambda',
    "select arrayMap(event -> event || b, ['x']), event || '!' as b from events where properties.n = 2",
    [[['xb!'], 'b!']],
  ],
  [
    'slices',
    'select [1, 2, 3, 4][2:3], [1, 2, 3][-2:], [1, 2, 3][:-2], [1, 2, 3][-2:3], [1, 2, 3][0:1], [1, 2, 3][3:2], properties.items[2:2] from events where properties.n = 1',
    [[[2, 3], [2, 3], [1, 2], [2, 3], [1], [], ['q']]],
  ],
  [
    'slices whose ends are of the row',
    'select number, [1, 2, 3][number:], [1, 2, 3][number - 3:2], [1, 2, 3][:-number], [1, 2, 3][nullIf(number, 2):2] from numbers(4)',
    [
      [0, [1, 2, 3], [1, 2], [], [1, 2]],
      [1, [1, 2, 3], [2], [1, 2, 3], [1, 2]],
      [2, [2, 3], [], [1, 2], [1, 2]],
      [3, [3], [1, 2], [1], []],
    ],
  ],
  [
    'a template',
    String.raw`select f'{event}/{properties.tags}/{properties.none}{f' {1 + 1}'}\{}' from events order by timestamp`,
    [['a/x,y/ 2{}'], ['b// 2{}'], ['a// 2{}']],
  ],
  [
    'a map in braces',
    "select {'n': properties.n, 'who': distinct_id} as m, m['who'], m['x'] from events where m['n'] = '1'",
    [[{ n: '1', who: 'd1' }, 'd1', null]],
  ],
  [
    'COLUMNS, with EXCEPT and REPLACE',
    "select COLUMNS('^(event|distinct_id|uuid)$') except (uuid) replace (upper(event) as event), e.COLUMNS('_mode$') from events e order by timestamp",
    [
      ['A', 'd1', 'full'],
      ['B', 'd1', 'full'],
      ['A', 'd2', 'full'],
    ],
  ],
  ['* REPLACE of what FROM gives', 'select * replace (a + b as b) from (select 1 as a, 2 as b, 3 as c)', [[1, 3, 3]]],
  [
    'joins in brackets',
    'select e.event, p.properties.email, d.distinct_id from events e join (persons p left join person_distinct_ids d on d.person_id = p.id) on p.id = e.person_id where e.properties.n = 2 order by 3',
    [
      ['b', 'e1', 'd1'],
      ['b', 'e1', 'd1b'],
    ],
  ],
  [
    'NATURAL JOIN',
    'select * from (select 1 as a, 2 as b) x natural left join (select 1 as a, 3 as c union all select 2, 4) y',
    [[1, 2, 3]],
  ],
  ['NATURAL JOIN of tables', 'select count() from events natural join persons', [[0]]],
  [
    'a query in brackets that begins an expression',
    "select ((select max(properties.n) from events) || '!'), ((select 1), 2)",
    [['3!', [1, 2]]],
  ],
  [
    'a strict funnel',
    "select windowFunnel(86400, 'strict_increase')(timestamp, event = 'a', event = 'b') from events",
    [[2]],
  ],
];

describe('clauses, as the tenant', () => {
  test.each(cases)('%s', async (_, statement, rows) => {
    expect(await rowsOf(statement)).toEqual(rows);
  });

  test.each(['rollup(event, at)', 'cube(event, at)', 'grouping sets ((event, at), ())'])(
    'a filter on time, by its name or an alias, reads as few rows with %s as without',
    async (groups) => {
      const readFor = async (rest: string) =>
        (await responseOf(`select event, timestamp as at, count() from events ${rest}`, long)).statistics.rows_read;
      // Parts may be merged, with rows of other suites, between two of them.
      await eventually(async () => {
        const [all, plain] = [
          await readFor('group by event, at'),
          await readFor("where timestamp >= '2026-03-20' group by event, at"),
        ];
        expect(plain).toBeLessThan(all * 0.75);
        for (const column of ['timestamp', 'at', '(timestamp as t)'])
          expect(await readFor(`where ${column} >= '2026-03-20' group by ${groups}`)).toBe(plain);
      });
    },
  );

  const shown = [
    ...readFileSync(join(import.meta.dirname, '../../../../docs/sql.md'), 'utf8').matchAll(/```sql\n([^`]+)\n```/g),
  ].map(([, statement = '']) => statement);
  test.each(shown)('docs/sql.md: %s', async (statement) => {
    expect(JSON.stringify(await rowsOf(statement))).not.toContain('SECRET');
  });
});
