import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { compileQuery } from '@millrace/query-language/compile.ts';
import { randomTeamId } from '@millrace/testkit/test-clickhouse.ts';
import { openTenant, type TestTenant } from '../test/tenant.ts';

// A small shop: queries of dashboards, and their results.
const own = randomTeamId();
const person = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;

let tenant: TestTenant;

beforeAll(async () => {
  tenant = await openTenant();
  await tenant.insert({
    events: [
      event('signed up', 1, '2026-01-05 08:05:00', { plan: 'free', tags: ['a', 'b'], v: 'b' }),
      event('signed up', 2, '2026-01-06 00:10:00', { plan: 'pro', tags: ['b'], v: 'a' }),
      event('purchase', 1, '2026-01-06 09:00:00', {
        amount: 49.9,
        quantity: 9,
        v: 10,
        items: [
          { sku: 'x1', price: 20, qty: 2 },
          { sku: 'x2', price: 9.9, qty: 1 },
        ],
        gift: true,
      }),
      event('purchase', 1, '2026-01-13 23:30:00', {
        amount: '19.99',
        quantity: 10,
        v: '9',
        items: [{ sku: 'x1', price: 19.99, qty: 1 }],
        gift: false,
      }),
      event('purchase', 2, '2026-01-14 11:00:00', {
        amount: 100,
        quantity: 3,
        items: [{ sku: 'x2', price: 100, qty: 1 }],
      }),
    ],
  });
});
afterAll(() => tenant?.close());

function event(name: string, who: number, timestamp: string, properties: Record<string, unknown>) {
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
    ...of,
    properties_text: JSON.stringify(properties),
    properties: map,
  };
}

async function responseOf(text: string): Promise<{ meta: { type: string }[]; data: unknown }> {
  const { sql, params } = compileQuery({ text, rowsMax: 100 });
  return JSON.parse(await tenant.send(own, { sql: `${sql}\nFORMAT JSONCompact`, params })) as {
    meta: { type: string }[];
    data: unknown;
  };
}

const buys = "from events where event = 'purchase'";

const cases: readonly [promise: string, statement: string, rows: unknown[]][] = [
  [
    'length, empty and notEmpty: items of a property that is a list, letters of any other',
    "select event, length(properties.items), length(properties.plan), length(max(properties.tags)), length(toString(properties.tags)), empty(properties.tags), notEmpty(properties.items), empty(properties.plan), length(properties.none), length('abc'), length([1, 2]), length(event) from events group by event, properties.items, properties.plan, properties.tags, properties.none order by event, properties.items, properties.plan",
    [
      ['purchase', 1, null, null, null, null, 1, null, null, 3, 2, 8],
      ['purchase', 2, null, null, null, null, 1, null, null, 3, 2, 8],
      ['purchase', 1, null, null, null, null, 1, null, null, 3, 2, 8],
      ['signed up', null, 4, 2, 9, 0, null, 0, null, 3, 2, 9],
      ['signed up', null, 3, 1, 5, 0, null, 0, null, 3, 2, 9],
    ],
  ],
  [
    'functions of lists are NULL of a property that is no list; searches are false; a list that they give is empty',
    "select arraySum(properties.v), arraySum(x -> x, properties.plan), arrayCount(x -> x != '', properties.v), arrayUniq(properties.plan), arrayStringConcat(properties.plan, ','), arrayFirst(x -> x != '', properties.plan), arrayElement(properties.plan, 1), indexOf(properties.plan, 'pro'), arrayAll(x -> x = 'a', properties.plan), arrayMax(max(properties.plan)), has(properties.plan, 'pro'), arrayExists(x -> x = 'pro', properties.plan), arrayMap(x -> x, properties.plan), countIf(has(properties.tags, 'a')), max(arrayStringConcat(properties.tags, '+')), max(arrayCount(x -> x != 'a', properties.tags)) from events where event = 'signed up' group by properties.plan, properties.v, properties.items order by properties.plan",
    [
      [null, null, null, null, null, null, null, null, null, null, 0, 0, [], 1, 'a+b', 1],
      [null, null, null, null, null, null, null, null, null, null, 0, 0, [], 0, 'b', 1],
    ],
  ],
  [
    'every conversion to a whole number goes by way of a number and rounds toward zero',
    `select properties.amount::int, cast(properties.amount as Int64), toInt(properties.amount), toInt32OrZero(properties.amount), toUInt64(properties.amount), toIntOrDefault(properties.amount, 7), toInt(concat('-', properties.amount)), properties.items.1.price::int ${buys} order by timestamp`,
    [
      [49, 49, 49, 49, 49, 49, -49, 20],
      [19, 19, 19, 19, 19, 19, -19, 19],
      [100, 100, 100, 100, 100, 100, -100, 100],
    ],
  ],
  [
    'a whole number of a text keeps its digits, one that does not fit is NULL',
    "select arrayMap(x -> toString(x::int), ['9007199254740993', '1e3', '-0.5', '.5', '1e30', '-', 'abc', '']), toString(toInt(concat('900719925474099', '3'))), toInt('9.5'), toInt('x')",
    [[['9007199254740993', '1000', '0', '0', null, null, null, null], '9007199254740993', 9, null]],
  ],
  [
    'whole numbers of decimals, NULL beyond 64 bits',
    "select toInt(toDecimal('12345678901234567890.5', 2)), toInt(toDecimal('-123.9', 2)), toInt(toDecimal('-0.5', 2)), toUInt64(toDecimal('-5', 2)), toString(toInt(toDecimal('9007199254740993.5', 2)))",
    [[null, -123, 0, null, '9007199254740993']],
  ],
  [
    'groupArray(… ORDER BY …): the order of the keys, each in its direction',
    'select groupArray(distinct_id order by timestamp desc), groupArray((event, distinct_id) order by event desc, distinct_id, timestamp desc) from events',
    [
      [
        ['user2', 'user1', 'user1', 'user2', 'user1'],
        [
          ['signed up', 'user1'],
          ['signed up', 'user2'],
          ['purchase', 'user1'],
          ['purchase', 'user1'],
          ['purchase', 'user2'],
        ],
      ],
    ],
  ],
  [
    'equal rows of three directions stay in the order of the keys behind',
    'select groupArray((number % 2, number % 3, number) order by number % 2 desc, number % 3, number desc) from numbers(8)',
    [
      [
        [
          [1, 0, 3],
          [1, 1, 7],
          [1, 1, 1],
          [1, 2, 5],
          [0, 0, 6],
          [0, 0, 0],
          [0, 1, 4],
          [0, 2, 2],
        ],
      ],
    ],
  ],
  [
    'in an aggregate NULL comes last unless the query says FIRST, and is no member',
    'select groupArray(event order by toFloat(properties.amount) desc), groupArray(event order by toFloat(properties.amount) nulls first, timestamp), groupArray(properties.gift order by timestamp) from events',
    [
      [
        ['purchase', 'purchase', 'purchase', 'signed up', 'signed up'],
        ['signed up', 'signed up', 'purchase', 'purchase', 'purchase'],
        ['true', 'false'],
      ],
    ],
  ],
  [
    'the first so many, distinct ones, those that a condition lets in',
    `select groupArray(2)(distinct_id order by timestamp), groupArray(distinct distinct_id order by distinct_id desc), groupArrayIf(distinct_id, properties.gift order by timestamp), groupArray(distinct_id order by timestamp) filter (where event = 'signed up') from events`,
    [[['user1', 'user2'], ['user2', 'user1'], ['user1'], ['user1', 'user2']]],
  ],
  [
    'texts in an order',
    `select string_agg(distinct_id, ', ' order by timestamp desc), string_agg(distinct distinct_id, '|' order by distinct_id), string_agg(distinct_id, '-') within group (order by timestamp), groupConcat('/', 2)(distinct_id order by timestamp), json_agg(distinct_id order by timestamp) ${buys}`,
    [['user2, user1, user1', 'user1|user2', 'user1-user1-user2', 'user1/user1', '["user1","user1","user2"]']],
  ],
  [
    'any and anyLast of an order',
    "select any(event order by timestamp), any(event order by timestamp desc), anyLast(distinct_id order by toFloat(properties.amount)), any(properties.nope order by timestamp), anyIf(distinct_id, event = 'purchase' order by timestamp desc) from events",
    [['signed up', 'purchase', 'user2', null, 'user2']],
  ],
  [
    'percentiles of WITHIN GROUP',
    `select percentile_cont(0.25) within group (order by properties.amount desc), percentile_disc(0.5) within group (order by toFloat(properties.amount)), percentile_disc(0.5) within group (order by distinct_id desc), quantile(0.5) within group (order by properties.amount) ${buys}`,
    [[74.95, 49.9, 'user1', 49.9]],
  ],
  [
    'RESPECT NULLS keeps them, IGNORE NULLS is what aggregates do',
    `select any(properties.nope) respect nulls, groupArray(properties.nope) respect nulls, array_agg(properties.gift order by timestamp) respect nulls, anyLast(properties.gift order by timestamp) respect nulls, anyLast(properties.gift order by timestamp) ignore nulls ${buys}`,
    [[null, [null, null, null], ['true', 'false', null], null, 'false']],
  ],
  [
    'lag and lead with IGNORE NULLS: the nearest value that there is',
    "select lag(properties.gift) ignore nulls over w, lead(properties.gift) ignore nulls over w, lag(properties.gift, 1, 'none') ignore nulls over w, lag(properties.gift) over w, first_value(properties.gift) respect nulls over w from events window w as (order by timestamp) order by timestamp",
    [
      [null, 'true', 'none', null, null],
      [null, 'true', 'none', null, null],
      [null, 'false', 'none', null, null],
      ['true', null, 'true', 'true', null],
      ['false', null, 'false', 'false', null],
    ],
  ],
  [
    'properties that are numbers sort by size',
    `select properties.amount as a, row_number() over (order by properties.amount desc) ${buys} order by a`,
    [
      ['19.99', 3],
      ['49.9', 2],
      ['100', 1],
    ],
  ],
  [
    'and texts by their letters, behind them; missing ones last',
    'select properties.v from events order by properties.v',
    [['9'], ['10'], ['a'], ['b'], [null]],
  ],
  [
    'the least and the greatest property, and what belongs to it',
    `select min(properties.amount), max(properties.amount), maxIf(properties.amount, properties.quantity > 5), max(properties.nope), argMax(distinct_id, properties.amount), argMin(properties.quantity, properties.amount), max(properties.amount) * 2 ${buys}`,
    [['19.99', '100', '49.9', null, 'user2', '10', 200]],
  ],
  [
    'so do lists of properties',
    `select arraySort(groupArray(properties.quantity)), arrayReverseSort(x -> x, groupArray(properties.quantity)), arraySort(x -> toString(x), groupArray(properties.quantity)), arraySort([properties.nope, max(properties.quantity), min(properties.quantity)]) ${buys} group by properties.nope`,
    [
      [
        ['3', '9', '10'],
        ['10', '9', '3'],
        ['10', '3', '9'],
        ['3', '10', null],
      ],
    ],
  ],
  [
    'toString says that a property goes by its letters',
    `select max(toString(properties.amount)), min(properties.amount::text), countIf(toString(properties.amount) < toString(properties.quantity)), groupArray(properties.amount order by toString(properties.amount)), max(x), max(x) * 2 from (select properties, toString(properties.amount) as x ${buys} order by x)`,
    [['49.9', '100', 2, ['100', '19.99', '49.9'], '49.9', 99.8]],
  ],
  [
    'the least and the greatest of texts',
    'select min(properties.plan), max(properties.plan) from events',
    [['free', 'pro']],
  ],
  [
    'two properties are compared as numbers where both are',
    `select properties.quantity < properties.amount, properties.nope < properties.amount ${buys} order by timestamp`,
    [
      [1, 0],
      [1, 0],
      [1, 0],
    ],
  ],
  [
    'a property that is a list',
    'select tag, count() from events array join properties.tags as tag group by tag order by tag',
    [
      ['a', 1],
      ['b', 2],
    ],
  ],
  [
    'has, arrayMap and sums over lists of objects',
    `select arraySum(arrayMap(x -> x.price * x.qty, properties.items)), arraySum(x -> x.qty, properties.items), arrayMap(x -> x.sku, properties.items), arrayExists(x -> x.sku = 'x2', properties.items) ${buys} order by timestamp`,
    [
      [49.9, 3, ['x1', 'x2'], 1],
      [19.99, 1, ['x1'], 0],
      [100, 1, ['x2'], 1],
    ],
  ],
  [
    'counts of what lists hold',
    "select countIf(has(properties.tags, 'a')), uniqArray(properties.tags), arraySort(groupUniqArrayArray(properties.tags)) from events",
    [[1, 2, ['a', 'b']]],
  ],
  [
    'items with their fields',
    `select item.sku as sku, sum(item.qty) as sold from events array join properties.items as item group by sku order by sold desc`,
    [
      ['x1', 3],
      ['x2', 2],
    ],
  ],
  [
    'numbers of all kinds meet in a UNION',
    'select sum(v), max(v) from (select count() as v from events union all select 1.5 union all select -1)',
    [[5.5, 5]],
  ],
  [
    'whole ones stay whole, and sort',
    "select v from (select count() as v from events union all (select -1 union distinct select dateDiff('day', min(timestamp), max(timestamp)) from events)) order by v",
    [[-1], [5], [9]],
  ],
  [
    'a property beside a number in a UNION',
    `select v from (select properties.amount as v ${buys} and v > 20 union all select 0) order by v`,
    [[0], [49.9], [100]],
  ],
  [
    'text beside others in a UNION',
    "select v from (select person_id as v from events union all select 'all') where v = 'all'",
    [['all']],
  ],
  [
    'a quotient of decimals keeps its digits',
    `select sum(toDecimal(properties.amount, 2)) / count(distinct person_id) ${buys}`,
    [[84.945]],
  ],
  [
    'intervals that begin elsewhere',
    "select toStartOfInterval(timestamp, interval 1 week), date_bin(interval 2 hour, timestamp, toDateTime('2026-01-01 01:00:00')) from events order by timestamp limit 1",
    [['2026-01-05', '2026-01-05 07:00:00.000000']],
  ],
  [
    'a property where a whole number is expected',
    `select length(range(properties.quantity)), repeat('a', properties.quantity / 3), ['a', 'b', 'c'][properties.quantity], bitAnd(properties.quantity, 3), range(properties.nope) ${buys} order by timestamp`,
    [
      [9, 'aaa', '', 1, []],
      [10, 'aaa', '', 2, []],
      [3, 'a', 'c', 3, []],
    ],
  ],
  [
    'properties as weights',
    `select quantileExactWeighted(0.5)(properties.amount, properties.quantity), topKWeighted(1)(distinct_id, properties.quantity) ${buys}`,
    [[49.9, ['user1']]],
  ],
  [
    'how many at once, and when',
    `select maxIntersections(timestamp, timestamp + interval 10 hour), maxIntersectionsPosition(timestamp, timestamp + interval 10 hour) from events`,
    [[2, 1767690000]],
  ],
  [
    'a key of GROUP BY that is a value of WITH, or an alias inside it',
    'with lower(event) as e, (select 1) as one select lower(event), count() * one from events group by e order by 1',
    [
      ['purchase', 3],
      ['signed up', 2],
    ],
  ],
  [
    'columns whose key has its alias in GROUP BY',
    'select event, n from events group by (event as e) having (count() as n) > 2',
    [['purchase', 3]],
  ],
  [
    'HAVING without groups filters rows',
    "select distinct_id from events having event = 'signed up' order by distinct_id",
    [['user1'], ['user2']],
  ],
  [
    'what replaces columns reads the columns themselves',
    "select * replace (event as who, who as event) from (select event, distinct_id as who from events) where who = 'purchase' and event = 'user2'",
    [['user2', 'purchase']],
  ],
  [
    'hashes stay what they are in a UNION, a CASE and a list',
    "select countIf(h in [cityHash64('user1'), cityHash64('user2')]), countIf(h > 9000000000000000000), countIf(h = if(h > 1, h, cityHash64(''))) from (select cityHash64(distinct_id) as h from events union all select cityHash64(event) from events)",
    [[5, 3, 10]],
  ],
  [
    'OFFSET before LIMIT',
    'select event from events order by timestamp offset 1 limit 2',
    [['signed up'], ['purchase']],
  ],
];

describe('answers, as the tenant', () => {
  test.each(cases)('%s', async (_, statement, rows) => {
    expect((await responseOf(statement)).data).toEqual(rows);
  });

  // The columns that an endpoint names before it runs must be those of the run.
  test.each([
    [
      'select toStartOfInterval(timestamp, interval 1 month) as m, toStartOfInterval(timestamp, interval 6 hour) as h from events',
      ['date', 'datetime'],
      [/^Date$/, /^DateTime/],
    ],
    ['select v from (select count() as v from events union all select 1.5)', ['float'], [/^Float64$/]],
    [
      `select toIntOrDefault('x', properties.amount), toIntOrDefault('x', 7), toIntOrDefault('x', 1.5), toFloatOrDefault('x', 7), toFloatOrDefault('x', count()), toFloatOrDefault('x', toDecimal(1, 2)) ${buys} group by properties.amount`,
      ['integer', 'integer', 'integer', 'float', 'float', 'float'],
      [/^Nullable\(Int64\)$/, /^Int64$/, /Int64/, /^Float64$/, /Float64/, /Float64/],
    ],
    [`select sum(toDecimal(properties.amount, 2)) / 3 as v ${buys}`, ['float'], [/Float64/]],
  ])('the types of %s', async (statement, inferred, engine) => {
    expect(compileQuery({ text: statement, rowsMax: 1 }).columns.map(({ type }) => type)).toEqual(inferred);
    const { meta } = await responseOf(statement);
    meta.forEach(({ type }, at) => expect(type).toMatch(engine[at] as RegExp));
  });
});
