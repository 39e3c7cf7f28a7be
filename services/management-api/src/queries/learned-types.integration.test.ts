import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compileQuery } from '@millrace/query-language/compile.ts';
import { schemaOf } from '@millrace/query-language/testing/schema-of.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../test/tenant.ts';

// SQL as newcomers type it, of a project whose properties have types: what the answers are. Some values are none of the property's type.
const own = randomTeamId();
const schema = schemaOf({
  event: {
    revenue: 'Numeric',
    quantity: 'Numeric',
    is_gift: 'Boolean',
    renews_at: 'DateTime',
    tags: 'List',
    plan: 'String',
    order: 'Numeric',
    size: 'String',
    note: null,
  },
  person: { age: 'Numeric', vip: 'Boolean', email: 'String', joined: 'DateTime' },
  group_0: { seats: 'Numeric', name: 'String' },
});

const persons = [
  { age: 30, vip: true, email: 'ann@a.example', joined: '2026-01-01' },
  { age: 9, vip: false, email: 'bob@b.example', joined: '2026-02-01T10:00:00Z' },
  { age: 'old', vip: 'perhaps' },
];

const events: readonly [name: string, who: 0 | 1 | 2, at: string, properties: object][] = [
  ['signed up', 0, '2026-03-01 07:30:00', { plan: 'free', tags: ['a', 'b'], $current_url: 'https://a.example/' }],
  [
    'signed up',
    1,
    '2026-03-01 23:30:00',
    { plan: 'pro', tags: ['b', 1, true, null, { c: 1 }], $current_url: 'https://a.example/pricing' },
  ],
  [
    'purchase',
    0,
    '2026-03-02 12:00:00',
    {
      plan: 'pro',
      revenue: 49.9,
      quantity: 2,
      is_gift: true,
      renews_at: '2026-04-02T12:00:00+02:00',
      order: 9007199254740991,
      size: { width: 5 },
    },
  ],
  [
    'purchase',
    1,
    '2026-03-03 12:00:00',
    { plan: 'pro', revenue: 100, quantity: 10, is_gift: false, renews_at: '2026-04-03', order: 7, tags: [] },
  ],
  [
    'purchase',
    1,
    '2026-03-03 13:00:00',
    { plan: 'free', revenue: 9, quantity: 9, is_gift: true, renews_at: '2026-04-03 10:20:30', order: '007', note: 5 },
  ],
  [
    'purchase',
    2,
    '2026-03-04 13:00:00',
    {
      plan: 'free',
      revenue: 'refunded',
      quantity: 1e3,
      is_gift: 'perhaps',
      renews_at: 'never',
      order: 'A-1',
      tags: 'a',
      note: 'x',
    },
  ],
  [
    'purchase',
    2,
    '2026-03-05 13:00:00',
    { plan: 'team', revenue: '100.0', quantity: null, is_gift: null, renews_at: 20260101, order: '7' },
  ],
];

let tenant: TestTenant;

beforeAll(async () => {
  tenant = await openTenant();
  await tenant.insert({ events: events.map(eventRow), persons: persons.map(personRow), groups: [0, 1].map(groupRow) });
});
afterAll(() => tenant?.close());

const idOf = (who: number) => `00000000-0000-4000-8000-00000000000${who}`;
const at = '2026-01-01 00:00:00';

// As the consumer stores them.
function stored(properties: object) {
  const texts = Object.entries(properties).map(([name, value]: [string, unknown]) => [
    name,
    typeof value === 'string' || value === null ? value : JSON.stringify(value),
  ]);
  return { properties_text: JSON.stringify(properties), properties: Object.fromEntries(texts) as object };
}

function eventRow([event, who, timestamp, properties]: (typeof events)[number]) {
  const of = stored(persons[who] ?? {});
  return {
    team_id: own,
    uuid: crypto.randomUUID(),
    event,
    distinct_id: `u${who}`,
    timestamp,
    created_at: timestamp,
    $group_0: `g${who % 2}`,
    person_id: idOf(who),
    person_mode: 'full',
    person_properties_text: of.properties_text,
    person_properties: of.properties,
    ...stored(properties),
  };
}

function personRow(properties: object, who: number) {
  return {
    team_id: own,
    id: idOf(who),
    created_at: at,
    is_identified: true,
    is_deleted: false,
    version: 1,
    ...stored(properties),
  };
}

function groupRow(index: number) {
  return {
    team_id: own,
    group_type_index: 0,
    group_key: `g${index}`,
    created_at: at,
    updated_at: at,
    is_deleted: false,
    version: 1,
    ...stored({ seats: index * 10 + 5, name: `G${index}` }),
  };
}

async function answerOf(text: string): Promise<{ types: string; rows: unknown }> {
  const { sql, params, columns } = compileQuery({ text, schema, rowsMax: 100, timeZone: 'Europe/Berlin' });
  const { data } = JSON.parse(await tenant.send(own, { sql: `${sql}\nFORMAT JSONCompact`, params })) as {
    data: unknown;
  };
  return { types: columns.map(({ type }) => type).join(', '), rows: data };
}

describe('SQL of a project whose properties have types', () => {
  test.each<[promise: string, statement: string, types: string, rows: unknown[][]]>([
    [
      "numbers, booleans, times and lists are JSON's; what does not fit is NULL",
      'select properties.revenue, properties.quantity, properties.is_gift, properties.renews_at, properties.tags, properties.plan, properties.order, properties.note from events order by timestamp',
      'float, float, boolean, datetime, array, string, float, string',
      [
        [null, null, null, null, ['a', 'b'], 'free', null, null],
        [null, null, null, null, ['b', 1, true, null, { c: 1 }], 'pro', null, null],
        [49.9, 2, true, '2026-04-02T12:00:00.000000+02:00', null, 'pro', 9007199254740991, null],
        [100, 10, false, '2026-04-03T00:00:00.000000+02:00', [], 'pro', 7, null],
        [9, 9, true, '2026-04-03T10:20:30.000000+02:00', null, 'free', 7, '5'],
        [null, 1000, null, null, null, 'free', null, 'x'],
        [100, null, null, null, null, 'team', 7, null],
      ],
    ],
    [
      'columns of a sub-query, also of *',
      "select * from (select properties.revenue as r, properties.tags as t, properties.is_gift as g, properties.renews_at as at from events where event = 'purchase') order by at, r",
      'float, array, boolean, datetime',
      [
        [49.9, null, true, '2026-04-02T12:00:00.000000+02:00'],
        [100, [], false, '2026-04-03T00:00:00.000000+02:00'],
        [9, null, true, '2026-04-03T10:20:30.000000+02:00'],
        [100, null, null, null],
        [null, null, null, null],
      ],
    ],
    [
      'columns of a CTE, in the order of their numbers',
      "with p as (select properties.revenue as r, properties.plan as plan from events where event = 'purchase') select plan, r from p order by r desc, plan",
      'string, float',
      [
        ['pro', 100],
        ['team', 100],
        ['pro', 49.9],
        ['free', 9],
        ['free', null],
      ],
    ],
    [
      'the properties of a whole object that a CTE passes on',
      "with bought as (select * from events where event = 'purchase') select properties.revenue, properties.is_gift from bought order by timestamp",
      'float, boolean',
      [
        [49.9, true],
        [100, false],
        [9, true],
        [null, null],
        [100, null],
      ],
    ],
    [
      'revenue by plan',
      "select properties.plan, sum(properties.revenue) from events where event = 'purchase' group by 1 order by 2 desc",
      'string, float',
      [
        ['pro', 149.9],
        ['team', 100],
        ['free', 9],
      ],
    ],
    [
      'revenue by day',
      "select toDate(timestamp) as day, sum(properties.revenue) as revenue from events where event = 'purchase' group by day order by day",
      'date, float',
      [
        ['2026-03-02', 49.9],
        ['2026-03-03', 109],
        ['2026-03-04', null],
        ['2026-03-05', 100],
      ],
    ],
    [
      'top pages',
      'select properties.$current_url as page, count() as views from events where page is not null group by page order by views desc, page limit 5',
      'string, integer',
      [
        ['https://a.example/', 1],
        ['https://a.example/pricing', 1],
      ],
    ],
    [
      'groups of a number: 100 and 100.0 are one',
      "select properties.revenue, count() from events where event = 'purchase' group by 1 order by 1",
      'float, integer',
      [
        [9, 1],
        [49.9, 1],
        [100, 2],
        [null, 1],
      ],
    ],
    [
      'groups by an alias, with texts and numbers of the key beside it',
      "select properties.revenue as r, r * 2, lower(r), length(r), count(), max(r), r = '9', r = 'refunded' from events where event = 'purchase' group by r order by r desc",
      'float, float, string, integer, integer, float, boolean, boolean',
      [
        [100, 200, '100', 3, 2, 100, 0, 0],
        [49.9, 99.8, '49.9', 4, 1, 49.9, 0, 0],
        [9, 18, '9', 1, 1, 9, 1, 0],
        [null, null, null, null, 1, null, 0, 0],
      ],
    ],
    [
      'a filter by an alias reads the text, as without types',
      "select properties.revenue as r, count() from events where r = 'refunded' group by r",
      'float, integer',
      [[null, 1]],
    ],
    [
      'groups of booleans',
      "select properties.is_gift, count() from events where event = 'purchase' group by properties.is_gift order by 1",
      'boolean, integer',
      [
        [false, 1],
        [true, 2],
        [null, 2],
      ],
    ],
    [
      "groups of times in the project's zone",
      "select properties.renews_at as at, toDate(at), dateDiff('day', at, toDateTime('2026-05-01')), count() from events where event = 'purchase' group by at order by at",
      'datetime, date, integer, integer',
      [
        ['2026-04-02T12:00:00.000000+02:00', '2026-04-02', 29, 1],
        ['2026-04-03T00:00:00.000000+02:00', '2026-04-03', 28, 1],
        ['2026-04-03T10:20:30.000000+02:00', '2026-04-03', 28, 1],
        [null, null, null, 2],
      ],
    ],
    [
      'groups of lists',
      "select properties.tags, count() from events where event = 'signed up' group by properties.tags order by 1",
      'array, integer',
      [
        [['a', 'b'], 1],
        [['b', 1, true, null, { c: 1 }], 1],
      ],
    ],
    [
      'group by all, order by all',
      'select properties.revenue, count() from events group by all order by all',
      'float, integer',
      [
        [9, 1],
        [49.9, 1],
        [100, 2],
        [null, 3],
      ],
    ],
    [
      'rollup',
      "select properties.is_gift, properties.plan, count() from events where event = 'purchase' group by rollup(properties.is_gift, properties.plan) order by 1, 2, 3",
      'boolean, string, integer',
      [
        [false, 'pro', 1],
        [false, null, 1],
        [true, 'free', 1],
        [true, 'pro', 1],
        [true, null, 2],
        [null, 'free', 1],
        [null, 'team', 1],
        [null, null, 2],
        [null, null, 5],
      ],
    ],
    [
      'grouping sets',
      'select properties.is_gift, grouping(properties.is_gift), count() from events group by grouping sets ((properties.is_gift), ()) order by 2, 1',
      'boolean, integer, integer',
      [
        [false, 0, 1],
        [true, 0, 2],
        [null, 0, 4],
        [null, 1, 7],
      ],
    ],
    [
      'having on an aggregate, with a number, a text that is one, and another text',
      "select properties.plan, max(properties.revenue) as m from events group by 1 having m > 50 and (m = '100' or m = 'abc') order by 1",
      'string, float',
      [
        ['pro', 100],
        ['team', 100],
      ],
    ],
    [
      'gifts counted, with their share',
      "select sum(properties.is_gift), avg(properties.is_gift), countIf(properties.is_gift), sumIf(properties.is_gift, properties.plan = 'pro'), min(properties.is_gift), max(properties.is_gift) from events",
      'integer, float, integer, integer, boolean, boolean',
      [[2, 0.6666666666666666, 2, 1, false, true]],
    ],
    [
      'gifts by plan',
      'select properties.plan, sum(properties.is_gift) as gifts from events group by 1 order by gifts desc, 1',
      'string, integer',
      [
        ['free', 1],
        ['pro', 1],
        ['team', null],
      ],
    ],
    [
      'booleans in WHERE, as without types',
      "select countIf(properties.is_gift), countIf(not properties.is_gift), countIf(properties.is_gift = true), countIf(properties.is_gift = 'true'), countIf(properties.is_gift = 1), countIf(properties.is_gift is null) from events",
      'integer, integer, integer, integer, integer, integer',
      [[2, 1, 2, 2, 0, 3]],
    ],
    [
      'distinct numbers',
      'select distinct properties.revenue from events order by properties.revenue',
      'float',
      [[9], [49.9], [100], [null]],
    ],
    [
      'distinct pairs',
      'select distinct properties.revenue as r, properties.is_gift from events order by r, 2',
      'float, boolean',
      [
        [9, true],
        [49.9, true],
        [100, false],
        [100, null],
        [null, null],
      ],
    ],
    [
      'distinct lists',
      "select distinct properties.tags from events where event = 'signed up' order by 1",
      'array',
      [[['a', 'b']], [['b', 1, true, null, { c: 1 }]]],
    ],
    [
      'numbers of different values; count takes all that are there',
      'select count(distinct properties.revenue), uniq(properties.revenue), uniqExact(properties.order), countDistinct(properties.order), count(properties.revenue) from events',
      'integer, integer, integer, integer, integer',
      [[3, 3, 2, 2, 5]],
    ],
    [
      'least and greatest',
      'select min(properties.revenue), max(properties.revenue), argMax(properties.plan, properties.revenue), argMin(properties.revenue, timestamp), anyLast(properties.plan), min(properties.renews_at), max(properties.renews_at) from events',
      'float, float, string, float, string, datetime, datetime',
      [[9, 100, 'pro', 49.9, 'team', '2026-04-02T12:00:00.000000+02:00', '2026-04-03T10:20:30.000000+02:00']],
    ],
    [
      'any skips what does not fit',
      "select any(properties.revenue) from events where event = 'purchase' and (properties.revenue = 'refunded' or properties.revenue = '9')",
      'float',
      [[9]],
    ],
    [
      'collected values',
      'select arraySort(groupArray(properties.revenue)), arraySort(groupUniqArray(properties.is_gift)), arraySort(groupArray(properties.renews_at)) from events',
      'array, array, array',
      [
        [
          [9, 49.9, 100, 100],
          [false, true],
          ['2026-04-02T12:00:00.000000+02:00', '2026-04-03T00:00:00.000000+02:00', '2026-04-03T10:20:30.000000+02:00'],
        ],
      ],
    ],
    [
      'collected in an order',
      "select groupArray(properties.revenue order by timestamp desc), groupArray(properties.plan order by properties.revenue, timestamp) from events where event = 'purchase'",
      'array, array',
      [
        [
          [100, 9, 100, 49.9],
          ['free', 'pro', 'pro', 'team', 'free'],
        ],
      ],
    ],
    [
      'lists of numbers in functions',
      "select has(groupArray(properties.order), 7), has(groupArray(properties.order), 'A-1'), arraySort(arrayMap(x -> x * 2, groupArray(properties.quantity))), arraySort(arrayMap(x -> upper(x), groupArray(properties.is_gift))), arraySum(groupArray(properties.quantity)) from events",
      'boolean, boolean, array, array, float',
      [[1, 0, [4, 18, 20, 2000], ['FALSE', 'TRUE', 'TRUE'], 1021]],
    ],
    [
      'statistics are those of numbers, as without types',
      'select avg(properties.revenue), median(properties.revenue), quantile(0.9)(properties.revenue), sum(properties.revenue), quantiles(0.5, 0.9)(properties.revenue) from events',
      'float, float, float, float, array',
      [[64.725, 74.95, 100, 258.9, [74.95, 100]]],
    ],
    [
      'states',
      'select maxMerge(s), avgMerge(t) from (select maxState(properties.revenue) as s, avgState(properties.is_gift) as t from events)',
      'float, float',
      [[100, 0.6666666666666666]],
    ],
    [
      'combinators',
      "select maxIf(properties.revenue, properties.plan = 'pro'), argMaxIf(properties.revenue, properties.quantity, properties.is_gift), sumOrNull(properties.is_gift), uniqExactIf(properties.order, properties.is_gift), arraySort(groupArrayIf(properties.revenue, properties.is_gift)) from events",
      'float, float, integer, integer, array',
      [[100, 9, 2, 2, [9, 49.9]]],
    ],
    [
      'branches of properties and NULL',
      "select if(event = 'purchase', properties.revenue, NULL), case when event = 'purchase' then properties.revenue end, coalesce(properties.revenue, properties.quantity), multiIf(properties.plan = 'pro', properties.revenue, properties.quantity) from events order by timestamp",
      'float, float, float, float',
      [
        [null, null, null, null],
        [null, null, null, null],
        [49.9, 49.9, 49.9, 49.9],
        [100, 100, 100, 100],
        [9, 9, 9, 9],
        [null, null, 1000, 1000],
        [100, 100, 100, null],
      ],
    ],
    [
      'branches beside a number or a text are what they were',
      "select ifNull(properties.revenue, 0), coalesce(properties.revenue, 'none'), coalesce(properties.revenue, properties.plan) from events order by timestamp",
      'float, string, string',
      [
        [0, 'none', 'free'],
        [0, 'none', 'pro'],
        [49.9, '49.9', '49.9'],
        [100, '100', '100'],
        [9, '9', '9'],
        [0, 'refunded', 'refunded'],
        [100, '100.0', '100.0'],
      ],
    ],
    [
      'nested CASE',
      "select case when properties.is_gift then 'gift' when properties.revenue > 50 then case properties.plan when 'pro' then 'big pro' else 'big' end else properties.plan end, case properties.quantity when 2 then 'two' when 10 then 'ten' else 'many' end, case properties.order when '007' then 'bond' else 'no' end from events where event = 'purchase' order by timestamp",
      'string, string, string',
      [
        ['gift', 'two', 'no'],
        ['big pro', 'ten', 'no'],
        ['gift', 'many', 'bond'],
        ['free', 'many', 'no'],
        ['big', 'many', 'no'],
      ],
    ],
    [
      'two properties compared',
      "select properties.revenue = properties.quantity, properties.revenue < properties.quantity, properties.revenue != properties.quantity, greatest(properties.revenue, properties.quantity), least(properties.revenue, properties.quantity) from events where event = 'purchase' order by timestamp",
      'boolean, boolean, boolean, float, float',
      [
        [0, 0, 1, 49.9, 2],
        [0, 0, 1, 100, 10],
        [1, 0, 0, 9, 9],
        [0, 0, 1, 1000, 1000],
        [0, 0, 1, 100, 100],
      ],
    ],
    [
      'compared with columns and properties of other types',
      "select properties.order = distinct_id, properties.order = person.properties.age, properties.renews_at > timestamp, properties.renews_at > person.properties.joined from events where event = 'purchase' order by timestamp",
      'boolean, boolean, boolean, boolean',
      [
        [0, 0, 1, 1],
        [0, 0, 1, 1],
        [0, 0, 1, 1],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
      ],
    ],
    [
      'between',
      "select properties.quantity between 5 and 20, properties.renews_at between '2026-04-01' and '2026-04-03', properties.quantity between properties.order and 100 from events where event = 'purchase' order by timestamp",
      'boolean, boolean, boolean',
      [
        [0, 1, 0],
        [1, 1, 1],
        [1, 0, 1],
        [0, 0, 0],
        [0, 0, 0],
      ],
    ],
    [
      'a join on properties',
      'select a.properties.order, b.properties.plan from events a join events b on a.properties.order = b.properties.order where a.uuid != b.uuid order by 1, 2',
      'float, string',
      [
        [7, 'free'],
        [7, 'free'],
        [7, 'pro'],
        [7, 'pro'],
        [7, 'team'],
        [7, 'team'],
      ],
    ],
    [
      'a join of columns of sub-queries',
      'select a.r, b.q from (select distinct properties.order as r from events) a join (select properties.order as r, properties.quantity as q from events) b using (r) order by 1, 2',
      'float, float',
      [
        [7, 9],
        [7, 10],
        [7, null],
        [9007199254740991, 2],
      ],
    ],
    [
      'IN a sub-query of a property',
      "select count(), countIf(properties.order in (select distinct properties.order from events where properties.plan = 'pro')) from events where properties.order in (select properties.order from events where properties.plan = 'pro')",
      'integer, integer',
      [[4, 4]],
    ],
    [
      'a text IN a sub-query of numbers',
      'select count() from events where toString(properties.order) in (select distinct properties.order from events)',
      'integer',
      [[3]],
    ],
    [
      'pairs IN a sub-query',
      'select count() from events where (properties.order, event) in (select properties.order, event from events group by 1, 2)',
      'integer',
      [[4]],
    ],
    [
      'IN lists, as without types',
      "select countIf(properties.order in (7, 9007199254740991)), countIf(properties.order in ('7', '007')), countIf((properties.order, event) in (('007', 'purchase'))), countIf(properties.quantity in (properties.revenue, properties.order)) from events",
      'integer, integer, integer, integer',
      [[4, 3, 1, 1]],
    ],
    [
      'UNION of numbers',
      "select r from (select properties.revenue as r from events where event = 'purchase' union all select properties.quantity from events where event = 'purchase') order by r",
      'float',
      [[2], [9], [9], [10], [49.9], [100], [100], [1000], [null], [null]],
    ],
    [
      'UNION of a number and a text is a text',
      "select r from (select properties.revenue as r from events where event = 'purchase' union all select properties.plan from events where event = 'signed up') order by r",
      'string',
      [['9'], ['49.9'], ['100'], ['100.0'], ['free'], ['pro'], ['refunded']],
    ],
    [
      'UNION DISTINCT and EXCEPT',
      "select r from (select properties.revenue as r from events union distinct select NULL) where r not in (select properties.revenue from events where properties.plan = 'pro' except select 100) order by r",
      'float',
      [[9], [100], [null]],
    ],
    [
      'lists, tuples and maps of properties',
      "select [properties.revenue, properties.quantity], (properties.revenue, properties.is_gift, properties.plan), map('r', properties.revenue), tuple(properties.renews_at) from events where event = 'purchase' order by timestamp",
      'array, json, json, json',
      [
        [[49.9, 2], [49.9, true, 'pro'], { r: 49.9 }, ['2026-04-02T12:00:00.000000+02:00']],
        [[100, 10], [100, false, 'pro'], { r: 100 }, ['2026-04-03T00:00:00.000000+02:00']],
        [[9, 9], [9, true, 'free'], { r: 9 }, ['2026-04-03T10:20:30.000000+02:00']],
        [[null, 1000], [null, null, 'free'], { r: null }, [null]],
        [[100, null], [100, null, 'team'], { r: 100 }, [null]],
      ],
    ],
    [
      'the most of each plan',
      "select properties.plan, properties.revenue from events where event = 'purchase' order by properties.revenue desc limit 1 by properties.plan",
      'string, float',
      [
        ['pro', 100],
        ['team', 100],
        ['free', 9],
      ],
    ],
    [
      'one row of each number',
      "select properties.revenue, properties.plan from events where event = 'purchase' order by properties.revenue, timestamp limit 1 by properties.revenue",
      'float, string',
      [
        [9, 'free'],
        [49.9, 'pro'],
        [100, 'pro'],
        [null, 'free'],
      ],
    ],
    [
      'DISTINCT ON',
      "select distinct on (properties.plan) properties.plan, properties.revenue from events where event = 'purchase' order by properties.plan, properties.revenue desc",
      'string, float',
      [
        ['free', 9],
        ['pro', 100],
        ['team', 100],
      ],
    ],
    [
      'windows',
      "select properties.revenue, row_number() over (order by properties.revenue desc, timestamp), lag(properties.revenue) over (order by timestamp), sum(properties.revenue) over (partition by properties.is_gift order by timestamp), first_value(properties.revenue) over (partition by properties.plan order by timestamp) from events where event = 'purchase' order by timestamp",
      'float, integer, float, float, float',
      [
        [49.9, 3, null, 49.9, 49.9],
        [100, 1, 49.9, 100, 49.9],
        [9, 4, 100, 58.9, 9],
        [null, 5, 9, null, 9],
        [100, 2, null, 100, 100],
      ],
    ],
    [
      'windows with a value for missing rows',
      "select lead(properties.revenue, 1, 0) over (order by timestamp), lag(properties.plan, 1, 'none') over (order by timestamp), lag(properties.quantity) ignore nulls over (order by timestamp), max(properties.revenue) over () from events where event = 'purchase' order by timestamp",
      'float, string, float, float',
      [
        [100, 'none', null, 100],
        [9, 'pro', 2, 100],
        [null, 'pro', 10, 100],
        [100, 'free', 9, 100],
        [0, 'free', 1000, 100],
      ],
    ],
    [
      'windows over groups',
      'select properties.revenue as r, max(r) over (), sum(count()) over (partition by r) from events group by r order by r',
      'float, float, integer',
      [
        [9, 100, 1],
        [49.9, 100, 1],
        [100, 100, 2],
        [null, 100, 3],
      ],
    ],
    [
      'texts are read as they were sent',
      "select toString(properties.revenue), properties.revenue || '!', lower(properties.is_gift), properties.renews_at like '2026-04%', properties.order::text from events where event = 'purchase' order by timestamp",
      'string, string, string, boolean, string',
      [
        ['49.9', '49.9!', 'true', 1, '9007199254740991'],
        ['100', '100!', 'false', 1, '7'],
        ['9', '9!', 'true', 1, '007'],
        ['refunded', 'refunded!', 'perhaps', 0, 'A-1'],
        ['100.0', '100.0!', null, 0, '7'],
      ],
    ],
    [
      'times: days between, months, later by a day',
      "select dateDiff('day', timestamp, properties.renews_at), toStartOfMonth(properties.renews_at), properties.renews_at > '2026-04-02', properties.renews_at + interval 1 day from events where event = 'purchase' and properties.plan != 'team' order by timestamp",
      'integer, date, boolean, datetime',
      [
        [31, '2026-04-01', 1, '2026-04-03T12:00:00.000000+02:00'],
        [31, '2026-04-01', 1, '2026-04-04T00:00:00.000000+02:00'],
        [31, '2026-04-01', 1, '2026-04-04T10:20:30.000000+02:00'],
        [null, null, 1, null],
      ],
    ],
    [
      'times of aggregates',
      "select max(properties.renews_at) - interval 1 day, dateDiff('hour', min(properties.renews_at), max(properties.renews_at)), max(properties.quantity) + 1, max(properties.order) || 'x' from events",
      'datetime, integer, float, string',
      [['2026-04-02T10:20:30.000000+02:00', 22, 1001, '9007199254740991x']],
    ],
    [
      'sums and roundings of numbers',
      "select properties.revenue + properties.quantity, round(properties.revenue), -properties.revenue, toInt(properties.revenue), properties.revenue::int from events where event = 'purchase' order by timestamp",
      'float, float, float, integer, integer',
      [
        [51.9, 50, -49.9, 49, 49],
        [110, 100, -100, 100, 100],
        [18, 9, -9, 9, 9],
        [null, null, null, null, null],
        [null, 100, -100, 100, 100],
      ],
    ],
    [
      'functions of lists, as without types',
      "select length(properties.tags), has(properties.tags, 'a'), properties.tags[1], properties.tags from events where event = 'signed up' order by timestamp",
      'integer, boolean, string, array',
      [
        [2, 1, 'a', ['a', 'b']],
        [5, 0, 'b', ['b', 1, true, null, { c: 1 }]],
      ],
    ],
    [
      'rows of lists',
      'select tag, count() from events, unnest(properties.tags) as t(tag) group by 1 order by 1',
      'string, integer',
      [
        ['1', 1],
        ['', 1],
        ['a', 1],
        ['b', 2],
        ['true', 1],
        ['{"c":1}', 1],
      ],
    ],
    [
      'persons and groups',
      "select person.properties.age, person.properties.vip, person.properties.email, person.properties.joined, group_0.properties.seats, group_0.properties.name from events where event = 'purchase' order by timestamp",
      'float, boolean, string, datetime, float, string',
      [
        [30, true, 'ann@a.example', '2026-01-01T00:00:00.000000+01:00', 5, 'G0'],
        [9, false, 'bob@b.example', '2026-02-01T11:00:00.000000+01:00', 15, 'G1'],
        [9, false, 'bob@b.example', '2026-02-01T11:00:00.000000+01:00', 15, 'G1'],
        [null, null, null, null, 5, 'G0'],
        [null, null, null, null, 5, 'G0'],
      ],
    ],
    [
      'the table persons',
      'select properties.age, properties.vip, properties.joined from persons order by properties.age',
      'float, boolean, datetime',
      [
        [9, false, '2026-02-01T11:00:00.000000+01:00'],
        [30, true, '2026-01-01T00:00:00.000000+01:00'],
        [null, null, null],
      ],
    ],
    [
      "revenue by a person's property",
      'select person.properties.vip, sum(properties.revenue) from events group by 1 order by 1',
      'boolean, float',
      [
        [false, 109],
        [true, 49.9],
        [null, 100],
      ],
    ],
    [
      "groups of a joined person's property",
      'select p.properties.age, count() from events e join persons p on p.id = e.person_id group by p.properties.age order by 1',
      'float, integer',
      [
        [9, 3],
        [30, 2],
        [null, 2],
      ],
    ],
    [
      'the table groups holds properties of several kinds: texts',
      'select key, properties.seats from groups order by key',
      'string, string',
      [
        ['g0', '5'],
        ['g1', '15'],
      ],
    ],
    [
      'scalars',
      "select (select max(properties.revenue) from events), (select properties.revenue from events where properties.plan = 'team' limit 1) as r, r + 1",
      'float, float, float',
      [[100, 100, 101]],
    ],
    [
      'a value of WITH',
      "with properties.revenue as r select r, r + 1, count() from events where event = 'purchase' group by r order by r",
      'float, float, integer',
      [
        [9, 10, 1],
        [49.9, 50.9, 1],
        [100, 101, 2],
        [null, null, 1],
      ],
    ],
    [
      'WITH FILL between numbers',
      'select properties.quantity as q, count() as n from events where properties.quantity > 8 and properties.quantity < 20 group by q order by q with fill from 8 to 12',
      'float, integer',
      [
        [8, 0],
        [9, 1],
        [10, 1],
        [11, 0],
      ],
    ],
    [
      'inside an object nothing is typed',
      'select properties.size.width, properties.size.width + 1 from events where properties.size is not null',
      'string, float',
      [['5', 6]],
    ],
    [
      'texts and other types made of a key',
      "select properties.is_gift, toString(properties.is_gift), properties.is_gift::float, toString(properties.quantity), count() from events where event = 'purchase' and properties.quantity is not null group by properties.is_gift, properties.quantity order by properties.quantity",
      'boolean, string, float, string, integer',
      [
        [true, 'true', null, '2', 1],
        [true, 'true', null, '9', 1],
        [false, 'false', null, '10', 1],
        [null, null, null, '1000', 1],
      ],
    ],
    [
      'a text that is a key itself stays the text',
      "select properties.order, toString(properties.order) as text, count() from events where event = 'purchase' group by properties.order, text order by text",
      'float, string, integer',
      [
        [7, '007', 1],
        [7, '7', 2],
        [9007199254740991, '9007199254740991', 1],
        [null, 'A-1', 1],
      ],
    ],
    [
      'values of sub-queries, compared with texts and as conditions',
      "select (select properties.tags from events where properties.plan = 'free' order by timestamp limit 1) as t, t = '[]', if((select min(properties.quantity) - 1 from events) = 1, 'yes', 'no'), countIf(r) from (select properties.is_gift as r from events group by r)",
      'string, boolean, string, integer',
      [['["a","b"]', 0, 'yes', 1]],
    ],
    [
      'functions of texts take the text of a value that is no property any more',
      "select length(max(properties.revenue)), lower(coalesce(properties.revenue, properties.quantity)), max(properties.order) || '!', reverse(max(properties.quantity)), hex(any(properties.is_gift)), toString(max(properties.renews_at)), substring(max(properties.renews_at), 1, 10), max(properties.renews_at) like '2026-04%' from events where properties.plan = 'pro' and event = 'purchase' group by coalesce(properties.revenue, properties.quantity) order by 2",
      'integer, string, string, string, string, string, string, boolean',
      [
        [3, '100', '7!', '01', '66616C7365', '2026-04-03 00:00:00.000000', '2026-04-03', 1],
        [4, '49.9', '9007199254740991!', '2', '74727565', '2026-04-02 12:00:00.000000', '2026-04-02', 1],
      ],
    ],
    [
      'NULL stays NULL in them',
      "select length(coalesce(properties.revenue, properties.quantity)), empty(max(properties.renews_at)) from events where event = 'signed up' group by coalesce(properties.revenue, properties.quantity)",
      'integer, boolean',
      [[null, null]],
    ],
    [
      'a text in quotes that is a value is compared as one, any other as a text',
      "select argMax(properties.order, timestamp) = '7.0', argMax(properties.order, timestamp) = '0x07', argMax(properties.order, timestamp) in ('7.00', '8'), max(properties.is_gift) = 'TRUE' from events where event = 'purchase'",
      'boolean, boolean, boolean, boolean',
      [[1, 0, 1, 1]],
    ],
    [
      'a key of a group too, in its own query as one further out',
      "select properties.renews_at as t, count(), t in ('2026-04-03'), case t when '2026-04-03' then 'day' else 'other' end from events where event = 'purchase' group by t having t = '2026-04-03' or t < '2026-04-02 13:00:00' order by t = '2026-04-03', t",
      'datetime, integer, boolean, string',
      [
        ['2026-04-02T12:00:00.000000+02:00', 1, 0, 'other'],
        ['2026-04-03T00:00:00.000000+02:00', 1, 1, 'day'],
      ],
    ],
    [
      'keys beside other keys, and in a window',
      "select properties.order as o, count() over (partition by o = '7.0') as n, (o, properties.plan) in (('7.0', 'pro')) from events where event = 'purchase' group by o, properties.plan order by o, properties.plan",
      'float, integer, boolean',
      [
        [7, 3, 0],
        [7, 3, 1],
        [7, 3, 0],
        [9007199254740991, 2, 0],
        [null, 2, 0],
      ],
    ],
    [
      'members of tuples meet what they are compared with',
      "select (properties.order, 1) = ('007', 1), (properties.order, properties.plan) = (7, 'free'), (max(properties.order) over (), 1) = ('A-1', 1), (properties.quantity, 1) < (10, 0) from events where event = 'purchase' order by timestamp",
      'boolean, boolean, boolean, boolean',
      [
        [0, 0, 0, 1],
        [0, 0, 0, 0],
        [1, 1, 0, 1],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
      ],
    ],
    [
      'tuples of keys, and parts of what is no property any more',
      "select properties.order as o, (o, 1) = ('7.0', 1), o.inside, max(properties.tags)[1] from events where event = 'purchase' group by o order by o",
      'float, boolean, string, string',
      [
        [7, 1, null, null],
        [9007199254740991, 0, null, null],
        [null, 0, null, null],
      ],
    ],
    [
      'lists of values beside texts',
      "select arraySort(arrayPushBack(groupArray(properties.quantity), 'none')), groupArray(properties.quantity) = ['2'], has(groupArray(properties.quantity), '10.0') from events where properties.plan = 'pro'",
      'array, boolean, boolean',
      [[['10', '2', 'none'], 0, 1]],
    ],
    [
      'arithmetic of booleans and times that is none is NULL; sums count',
      "select max(properties.is_gift) + 1, 5 % max(properties.is_gift), sum(coalesce(properties.is_gift, properties.is_gift)), max(properties.renews_at) * 2, max(properties.renews_at) - min(properties.renews_at), bitAnd(max(properties.renews_at), 1), max(properties.renews_at) + interval 1 day from events where properties.plan = 'pro'",
      'float, float, integer, float, decimal, integer, datetime',
      [[null, null, 1, null, 43200, null, '2026-04-04T00:00:00.000000+02:00']],
    ],
    [
      'a boolean that is neither true nor false is NULL, also as a condition',
      "select properties.order as o, properties.is_gift, if(properties.order, 'yes', 'no'), if(properties.is_gift, 1, 0) from events where event = 'purchase' and o in ('7', '007') order by timestamp",
      'float, boolean, string, integer',
      [
        [7, false, 'no', 0],
        [7, true, 'no', 1],
        [7, null, 'no', 0],
      ],
    ],
    [
      'a number that is read is a condition as its text is',
      'select countIf(q) from (select distinct properties.quantity as q from events)',
      'integer',
      [[0]],
    ],
  ])('%s', async (_, statement, types, rows) => {
    expect({ statement, ...(await answerOf(statement)) }).toEqual({ statement, types, rows });
  });
});
