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
        'intervals of days and hours over the change of the clocks',
        "select toString(toDateTime('2026-03-07 10:00:00') + interval '1 day 2 hours'), toDate('2026-01-31') + interval '1 month 1 day', substring(toString(toDate('2026-03-07') + interval '1 day 12 hours') from 1 for 16)",
        [['2026-03-08 12:00:00.000000', '2026-03-01', '2026-03-08 12:00']],
      ],
    ])('%s', async (_, query, rows) => expect(await rowsOf(query)).toEqual(rows));
  });
});
