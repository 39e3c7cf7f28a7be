import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../test/test-api.ts';

// SQL as people type it who come from Postgres, MySQL or ClickHouse: what the answers are, through the ordinary route.
let api: TestApi;
let base: string;
let key: string;

beforeAll(async () => {
  api = await startTestApi();
  const { projectId, key: own } = await api.seed('Acme');
  [base, key] = [`/api/projects/${projectId}`, own];
  const rows: [event: string, who: string, at: string, properties: object][] = [
    ['signed up', 'ann@a.example', '2026-03-01 07:30:00', { plan: 'free', tags: ['a', 'b'], version: '1.10.2' }],
    ['signed up', 'bob@b.example', '2026-03-01 23:30:00', { plan: 'pro', tags: ['b'], address: { city: 'Oslo' } }],
    ['paid', 'bob@b.example', '2026-03-02 12:00:00', { plan: 'pro', amount: 49, items: [{ sku: 'x' }, { sku: 'y' }] }],
    ['paid', 'bob@b.example', '2026-03-03 12:00:00', { plan: 'pro', amount: 51, items: [{ sku: 'x' }] }],
  ];
  await api.insertEvents(
    rows.map(([event, distinct_id, at, properties]) => ({
      team_id: projectId,
      event,
      distinct_id,
      timestamp: `${at}.000000`,
      properties,
    })),
  );
});
afterAll(() => api?.stop());

async function answerOf(query: string) {
  const reply = await api
    .as(key)
    .send('post', `${base}/query`)
    .send({ query: { kind: 'HogQLQuery', query } });
  return { status: reply.status, ...(reply.body as unknown as { results: unknown[][]; detail: string }) };
}

async function rowsOf(query: string): Promise<unknown[][]> {
  const { status, detail, results } = await answerOf(query);
  expect([status, detail, query]).toEqual([200, undefined, query]);
  return results;
}

describe('SQL as people type it', () => {
  test.each<[promise: string, query: string, rows: unknown[][]]>([
    [
      'current_date and current_timestamp are those of now',
      'select current_date = today(), current_timestamp > now() - interval 1 minute, count() from events where timestamp < current_timestamp',
      [[1, 1, 4]],
    ],
    [
      'LIMIT a, b leaves out a rows and gives b',
      'select distinct_id, event from events order by timestamp limit 1, 2',
      [
        ['bob@b.example', 'signed up'],
        ['bob@b.example', 'paid'],
      ],
    ],
    [
      'DISTINCT ON: the first row of each, in the order that is asked for',
      'select distinct on (distinct_id) distinct_id, event, properties.amount from events order by distinct_id, timestamp desc',
      [
        ['ann@a.example', 'signed up', null],
        ['bob@b.example', 'paid', '51'],
      ],
    ],
    [
      'ARRAY[…] is a list, with one item, with several and without any',
      "select ARRAY[1, 2], ARRAY['x'], length(ARRAY[]), ARRAY[[1], [2, 3]][2], '[1,2]'::int[], cast(ARRAY[1] as text[])",
      [[[1, 2], ['x'], 0, [2, 3], [1, 2], ['1']]],
    ],
    [
      'VALUES is a table, whose columns have one type each',
      "select t.n, name, n * 2 from (values (1, 'a'), (2.5, null)) as t(n, name) order by n desc",
      [
        [2.5, null, 5],
        [1, 'a', 2],
      ],
    ],
    [
      'VALUES in WITH, joined to events, and behind IN',
      "with prices(plan, price) as (values ('free', 0), ('pro', 49)) select p.plan, price, count() from events e join prices p on p.plan = e.properties.plan where e.event in (values ('paid'), ('signed up')) group by p.plan, price order by price",
      [
        ['free', 0, 1],
        ['pro', 49, 3],
      ],
    ],
    [
      'VALUES alone',
      "values (1, 'a'), (2, 'b')",
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    [
      'names of columns behind a sub-query and in WITH RECURSIVE',
      'with recursive t(n) as (values (1) union all select n + 1 from t where n < 4) select sum(n), (select max(b) from (select 1, 2) as u(a, b)) from t',
      [[10, 2]],
    ],
    [
      'substring(… FROM … FOR …)',
      "select substring('events' from 2), substring('events' from 2 for 3), substring('events' for 2), substring(event from 8) from events where event = 'signed up' limit 1",
      [['vents', 'ven', 'ev', 'up']],
    ],
    [
      'intervals of several units, of a time and of a day',
      "select toString(toDateTime('2026-01-31 10:00:00') + interval '1 day 2 hours'), toDate('2026-01-31') + interval '1 month 1 day', toString(toDateTime('2026-01-01') - interval '1 day -02:30'), toString(toDateTime('2026-01-01') + (interval '1 h' + '2 hrs 5 mins'::interval)), toDate('2026-01-31') + '2 weeks'::interval",
      [
        [
          '2026-02-01 12:00:00.000000',
          '2026-03-01',
          '2025-12-31 02:30:00.000000',
          '2026-01-01 03:05:00.000000',
          '2026-02-14',
        ],
      ],
    ],
    [
      'split_part: places from both ends, an empty text beyond them, NULL of NULL',
      "select split_part(distinct_id, '@', 2), split_part(properties.version, '.', -1), split_part(properties.version, '.', 9), split_part('a--b', '--', 2) from events where event = 'signed up' order by timestamp",
      [
        ['a.example', '2', '', 'b'],
        ['b.example', null, null, 'b'],
      ],
    ],
    [
      'to_char',
      "select to_char(timestamp, 'YYYY-MM-DD HH24:MI:SS'), to_char(timestamp, 'FMMonth DD, HH12:MI PM \"in\" Mon YY, Dy'), to_char(toDate('2026-01-05'), 'IYYY-\"W\"IW, ID, DDD, Q %') from events order by timestamp limit 1",
      [['2026-03-01 07:30:00', 'March 01, 07:30 AM in Mar 26, Sun', '2026-W02, 1, 005, 1 %']],
    ],
    [
      'date_part',
      "select date_part('hour', timestamp), date_part(day, timestamp), datepart('isodow', timestamp), date_part('epoch', timestamp), date_part('doy', toDate('2026-02-01')) from events order by timestamp limit 1",
      [[7, 1, 7, 1772350200, 32]],
    ],
    [
      'the day of the week, from 0 for Sunday',
      "select extract(dow from timestamp), date_part('dow', timestamp), extract(dow from toDate('2026-03-02')), extract(isodow from timestamp) from events order by timestamp limit 1",
      [[0, 0, 1, 7]],
    ],
    [
      'generate_series of numbers, up and down, in fractions, empty',
      'select groupArray(a), (select groupArray(n) from generate_series(5, 1, -2) as n), (select groupArray(x) from generate_series(0, 1, 0.25) as t(x)), (select count() from generate_series(2, 1)) from generate_series(1, 7, 3) a',
      [[[1, 4, 7], [5, 3, 1], [0, 0.25, 0.5, 0.75, 1], 0]],
    ],
    [
      'generate_series of days fills the gaps of a report',
      "select day, count(e.uuid) from generate_series('2026-02-28', '2026-03-03', interval '1 day') as day left join events e on toDate(e.timestamp) = day group by day order by day",
      [
        ['2026-02-28', 0],
        ['2026-03-01', 2],
        ['2026-03-02', 1],
        ['2026-03-03', 1],
      ],
    ],
    [
      'generate_series of months from their ends, of hours, of days that are computed, back in time',
      "select (select groupArray(m) from generate_series('2026-01-31', '2026-04-29', interval 1 month) as m), (select count() from generate_series(toDateTime('2026-01-01 10:30:00'), '2026-01-01 12:15:00', interval '1 hour') as h), (select max(d) - min(d) from generate_series(today() - 6, today(), interval 1 day) as d), (select groupArray(d) from generate_series('2026-01-02', '2026-01-01', interval -1 day) as d)",
      [[['2026-01-31', '2026-02-28', '2026-03-31'], 2, 6, ['2026-01-02', '2026-01-01']]],
    ],
    [
      'generate_series and unnest in the SELECT list',
      'select generate_series(1, 2), unnest(ARRAY[5])',
      [
        [1, 5],
        [2, 5],
      ],
    ],
    [
      'unnest of a list of each row, by both of its names',
      'select tag, t.tag, count() from events e, unnest(e.properties.tags) as t(tag) group by tag order by tag',
      [
        ['a', 'a', 1],
        ['b', 'b', 2],
      ],
    ],
    [
      'unnest of a property whose items are objects, before another join',
      "select item.sku, count() from events e cross join unnest(e.properties.items) as item join (values ('paid')) as v(name) on v.name = e.event group by 1 order by 1",
      [
        ['x', 2],
        ['y', 1],
      ],
    ],
    [
      'unnest of lists side by side, without another table',
      "select * from unnest([1, 2], ['a', 'b']) as t(n, name) order by n",
      [
        [1, 'a'],
        [2, 'b'],
      ],
    ],
    [
      '-> and ->>, whose places count from 0',
      "select properties->>'plan', properties->'address'->>'city', properties->'items'->0->>'sku', properties->'items'->-1->'sku', (properties->>'amount')::int + 1, upper(properties->>'plan') from events where properties->>'plan' = 'pro' order by timestamp limit 2",
      [
        ['pro', 'Oslo', null, null, null, 'PRO'],
        ['pro', null, 'x', 'y', 50, 'PRO'],
      ],
    ],
    [
      '&&: lists that have an item in common',
      "select [1, 2] && [2, 3], [1] && [2], countIf(properties.tags && ARRAY['a', 'z']), countIf(properties->'tags' && ['b']) from events",
      [[1, 0, 1, 2]],
    ],
    [
      '~ and its like, and ||',
      "select 'Paid' ~ '^P', 'Paid' ~ '^p', 'Paid' ~* '^p', 'Paid' !~ '^p', 'Paid' !~* '^p', countIf(event ~ 'ed.up$'), countIf(properties.none ~ 'a'), countIf(properties.none !~ 'a'), any('a' || 1 || properties.none || 'b') from events",
      [[1, 0, 1, 1, 0, 2, 0, 4, 'a1b']],
    ],
  ])('%s', async (_, query, rows) => expect(await rowsOf(query)).toEqual(rows));

  test('a series that is too long for numbers() fails, whatever the length is computed of', async () => {
    const { status, detail } = await answerOf(
      'select count() from generate_series(now() - interval 1 year, now(), interval 1 second) as second',
    );
    expect([status, detail]).toEqual([400, 'The query could not be run: generate_series gives at most 9,999,999 rows']);
  });

  describe("in the project's time zone", () => {
    const zone = async (timezone: string) =>
      expect((await api.as(key).send('patch', base).send({ timezone })).status).toBe(200);
    beforeAll(() => zone('America/Los_Angeles'));
    afterAll(() => zone('UTC'));

    // Clocks go forward on March 8, 2026, at two in the morning.
    test.each<[promise: string, query: string, rows: unknown[][]]>([
      [
        'days, hours and texts',
        "select to_char(timestamp, 'YYYY-MM-DD HH24:MI'), date_part('day', timestamp), date_part('hour', timestamp), extract(isodow from timestamp) from events order by timestamp limit 1",
        [['2026-02-28 23:30', 28, 23, 6]],
      ],
      [
        'today',
        "select current_date = toDate(now('America/Los_Angeles')), current_date = today(), to_char(current_timestamp, 'HH24') = formatDateTime(now('America/Los_Angeles'), '%H')",
        [[1, 1, 1]],
      ],
      [
        'intervals of days and hours over the change of the clocks: hours are those that pass',
        "select toString(toDateTime('2026-03-07 10:00:00') + interval '1 day 2 hours'), toDate('2026-01-31') + interval '1 month 1 day', substring(toString(toDate('2026-03-07') + interval '1 day 12 hours') from 1 for 16)",
        [['2026-03-08 12:00:00.000000', '2026-03-01', '2026-03-08 13:00']],
      ],
      [
        'a series of its days, which events are joined to',
        "select day, count(e.uuid) from generate_series('2026-02-28', '2026-03-02', interval 1 day) as day left join events e on toDate(e.timestamp) = day group by day order by day",
        [
          ['2026-02-28', 1],
          ['2026-03-01', 1],
          ['2026-03-02', 1],
        ],
      ],
      [
        'a series of its hours, of which one is not there',
        "select groupArray(to_char(h, 'HH24')) from (select h from generate_series('2026-03-08', '2026-03-08 04:00:00', interval 1 hour) as h order by h)",
        [[['00', '01', '03', '04']]],
      ],
    ])('%s', async (_, query, rows) => expect(await rowsOf(query)).toEqual(rows));
  });
});
