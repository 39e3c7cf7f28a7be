import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../test/test-api.ts';

// A day of Los Angeles begins at 08:00 UTC in winter, at 07:00 in summer; clocks go forward on March 8, 2026.
let api: TestApi;
let base: string;
let key: string;

beforeAll(async () => {
  api = await startTestApi();
  const acme = await api.seed('Acme');
  [base, key] = [`/api/projects/${acme.projectId}`, acme.key];
  const times = [
    '2026-03-01 07:59:59',
    '2026-03-01 08:00:00',
    '2026-03-02 07:30:00',
    '2026-03-08 09:30:00',
    '2026-03-09 06:30:00',
  ];
  await api.insertEvents(
    times.map((timestamp, n) => ({
      team_id: acme.projectId,
      event: `e${n}`,
      distinct_id: 'd',
      timestamp: `${timestamp}.000000`,
      properties: { at: '2026-03-01 00:00:00', day: '2026-03-01' },
    })),
  );
  await zone('America/Los_Angeles');
});
afterAll(() => api?.stop());

const zone = async (timezone: string) =>
  expect((await api.as(key).send('patch', base).send({ timezone })).status).toBe(200);
async function rowsOf(query: string, filters?: object): Promise<unknown[][]> {
  const reply = await api
    .as(key)
    .send('post', `${base}/query`)
    .send({ query: { kind: 'HogQLQuery', query, ...(filters && { filters }) } });
  expect([reply.status, query]).toEqual([200, query]);
  return reply.body.results;
}

describe("the project's time zone holds in SQL", () => {
  test.each([
    [
      'days',
      'select toDate(timestamp) as day, count() from events group by day order by day',
      [
        ['2026-02-28', 1],
        ['2026-03-01', 2],
        ['2026-03-08', 2],
      ],
    ],
    [
      'days of texts',
      "select event from events where timestamp >= '2026-03-01' and timestamp < '2026-03-02' order by event",
      [['e1'], ['e2']],
    ],
    [
      'times of texts',
      "select event from events where timestamp = '2026-03-01 00:00:00' or timestamp = '2026-03-01 07:59:59Z' order by event",
      [['e0'], ['e1']],
    ],
    [
      'a list of texts',
      "select event from events where timestamp in ('2026-03-01', '2026-03-01 23:30:00') order by event",
      [['e1'], ['e2']],
    ],
    ['a date', "select count() from events where timestamp >= toDate('2026-03-02')", [[2]]],
    [
      'a date beside a text',
      "select event from events where toDate(timestamp) = '2026-03-01' order by event",
      [['e1'], ['e2']],
    ],
    [
      'properties that are times',
      'select event from events where timestamp = properties.at or timestamp = toDateTime(properties.day) group by event',
      [['e1']],
    ],
    [
      'hours, weeks, months',
      "select toHour(timestamp), toStartOfWeek(timestamp), toMonday(timestamp), toStartOfMonth(timestamp), toDayOfWeek(timestamp), toYYYYMMDD(timestamp) from events where event = 'e0'",
      [[23, '2026-02-22', '2026-02-23', '2026-02-01', 6, 20260228]],
    ],
    [
      'what begins',
      "select toStartOfDay(timestamp), dateTrunc('day', timestamp), toStartOfInterval(timestamp, interval 1 day), dateTrunc('month', timestamp) from events where event = 'e2'",
      [['2026-03-01T00:00:00-08:00', '2026-03-01T00:00:00-08:00', '2026-03-01T00:00:00-08:00', '2026-03-01']],
    ],
    [
      'texts',
      "select formatDateTime(timestamp, '%Y-%m-%d %H:%i'), substring(toString(timestamp), 1, 16), f'{timestamp}' like '2026-02-28%' from events where event = 'e0'",
      [['2026-02-28 23:59', '2026-02-28 23:59', 1]],
    ],
    [
      'texts of lists, tuples and maps have times in UTC, and say so; joined items are in the zone',
      "select json_agg(timestamp), toJSONString(map('a', [max(timestamp)])), toString([(1, max(timestamp))]), arrayStringConcat(groupArray(timestamp), ',') from events where event = 'e0'",
      [
        [
          '["2026-03-01T07:59:59.000000Z"]',
          '{"a":["2026-03-01T07:59:59.000000Z"]}',
          "[(1,'2026-03-01T07:59:59.000000Z')]",
          '2026-02-28 23:59:59.000000',
        ],
      ],
    ],
    [
      'days of 23 hours',
      "select toString(timestamp + interval 1 day), toString(addDays(timestamp, 1)), dateDiff('day', timestamp, toDateTime('2026-03-09 00:00:00')) from events where event = 'e3'",
      [['2026-03-09 01:30:00.000000', '2026-03-09 01:30:00.000000', 1]],
    ],
    [
      'extremes and sub-queries',
      'select toDate(min(timestamp)), (select toHour(t) from (select max(timestamp) as t from events)) from events',
      [['2026-02-28', 23]],
    ],
    [
      'a zone that is named',
      "select toHour(toTimeZone(timestamp, 'Europe/Berlin')), toHour(timestamp, 'UTC'), toDate(timestamp, 'UTC'), toHour(toStartOfHour(toTimeZone(timestamp, 'UTC'))) from events where event = 'e0'",
      [[8, 7, '2026-03-01', 7]],
    ],
    [
      'now and today',
      "select toDate(now()) = today(), toHour(now()) = toHour(now('America/Los_Angeles')), yesterday() = today() - 1",
      [[1, 1, 1]],
    ],
    // Dates that become times: e1 is at midnight there, which is 08:00 UTC; e3 is half past one.
    [
      'a date and an interval of hours',
      "select substring(toString(toDate(timestamp) + interval 9 hour), 1, 16), toDate(timestamp) + interval 1 day, timestamp >= toDate(timestamp) - interval 3 hour, timestamp > toDate(timestamp) + interval 1 second from events where event = 'e1'",
      [['2026-03-01 09:00', '2026-03-02', 1, 0]],
    ],
    [
      'a time less a date',
      "select timestamp - toDate(timestamp), toDate(timestamp) - timestamp, toDate(timestamp) - toDate('2026-03-01'), dateDiff('second', toDate(timestamp), timestamp), dateDiff('day', toDate(timestamp), timestamp), age('hour', toDate(timestamp), timestamp) from events where event = 'e3'",
      [[5400, -5400, 7, 5400, 0, 1]],
    ],
    [
      'seconds of a date',
      "select toUnixTimestamp(toDate(timestamp)), toUnixTimestamp64Milli(toDate(timestamp)), toRelativeHourNum(timestamp) - toRelativeHourNum(toDate(timestamp)) from events where event = 'e1'",
      [[1772352000, 1772352000000, 0]],
    ],
    [
      'times of a date',
      "select addHours(toDate(timestamp), 9), toStartOfDay(toDate(timestamp)), dateTrunc('day', toDate(timestamp)), toStartOfInterval(toDate(timestamp), interval 1 hour), dateAdd('hour', 9, toDate(timestamp)) from events where event = 'e1'",
      [
        [
          '2026-03-01T09:00:00.000000-08:00',
          '2026-03-01T00:00:00-08:00',
          '2026-03-01T00:00:00-08:00',
          '2026-03-01T00:00:00-08:00',
          '2026-03-01T09:00:00.000000-08:00',
        ],
      ],
    ],
    [
      'dates of a date',
      "select addDays(toDate(timestamp), 1), toStartOfWeek(toDate(timestamp)), dateTrunc('week', toDate(timestamp)), toStartOfInterval(toDate(timestamp), interval 1 week), toDate(timestamp) - 1, toStartOfDay(toDate(timestamp), 'UTC') from events where event = 'e1'",
      [['2026-03-02', '2026-03-01', '2026-02-23', '2026-02-23', '2026-02-28', '2026-03-01T00:00:00Z']],
    ],
  ])('%s', async (_, query, rows) => expect(await rowsOf(query)).toEqual(rows));

  describe('in a project in UTC', () => {
    beforeAll(() => zone('UTC'));
    afterAll(() => zone('America/Los_Angeles'));
    test.each([
      [
        'days of texts in a zone that is named',
        "select toDate('2026-03-01', 'America/Los_Angeles'), toDate(properties.day, 'America/Los_Angeles'), toDate('2026-03-01 23:00:00Z', 'Asia/Tokyo'), toDate('no day', 'Asia/Tokyo') from events limit 1",
        [['2026-03-01', '2026-03-01', '2026-03-02', null]],
      ],
      [
        'a time less a date',
        "select timestamp - toDate(timestamp), toDate(timestamp) - timestamp, toStartOfHour(timestamp) - toDate(timestamp), toDate(timestamp) - toDate('2026-03-08') from events where event = 'e3'",
        [[34_200, -34_200, 32_400, 0]],
      ],
    ])('%s', async (_, query, rows) => expect(await rowsOf(query)).toEqual(rows));
  });

  // Midnight of UTC is in the morning there: a day that is read in one zone and cut in another is the day before.
  describe('east of UTC', () => {
    beforeAll(() => zone('Asia/Tokyo'));
    afterAll(() => zone('America/Los_Angeles'));
    test.each([
      [
        'where bins of days begin',
        "select event, date_bin(interval 7 day, toDate(timestamp), '2026-03-01') from events where event in ('e1', 'e3') order by event",
        [
          ['e1', '2026-03-01'],
          ['e3', '2026-03-08'],
        ],
      ],
      [
        'days of texts in a zone that is named',
        "select toDate('2026-03-01', 'UTC'), toDate(properties.day, 'UTC'), toDate('2026-03-01 23:00:00Z', 'Asia/Tokyo') from events limit 1",
        [['2026-03-01', '2026-03-01', '2026-03-02']],
      ],
    ])('%s', async (_, query, rows) => expect(await rowsOf(query)).toEqual(rows));
  });

  test.each<[object, string]>([
    [{ dateRange: { date_from: '2026-03-01T00:00', date_to: '2026-03-01 23:30' } }, 'e1 e2'],
    [{ dateRange: { date_from: '2026-03-01T00:00Z', date_to: '2026-03-01T23:30Z' } }, 'e0 e1'],
    [{ dateRange: { date_from: '2026-03-01T00:00:00-08:00', date_to: '2026-03-02' } }, 'e1 e2'],
    [
      {
        properties: [
          { key: 'timestamp', value: '2026-03-01 00:00', operator: 'is_date_exact', type: 'event_metadata' },
        ],
      },
      'e1',
    ],
    [{ properties: [{ key: 'at', value: '2026-03-01T08:00Z', operator: 'is_date_exact' }] }, 'e0 e1 e2 e3 e4'],
  ])('of filters %j', async (filters, events) =>
    expect((await rowsOf('select event from events where {filters} order by event', filters)).flat().join(' ')).toBe(
      events,
    ),
  );

  test('in filters, variables and cached results, and a change of it counts at once', async () => {
    const made = await api
      .as(key)
      .send('post', `${base}/endpoints`)
      .send({
        name: 'days',
        query: {
          kind: 'HogQLQuery',
          query: 'select event from events where timestamp >= {variables.since} and {filters} order by event',
          variables: { a: { code_name: 'since', type: 'Date', value: '2026-03-01' } },
          filters: { dateRange: { date_from: '2026-03-01', date_to: '2026-03-01' } },
        },
      });
    expect(made.status).toBe(201);
    const run = async () => {
      const { results, is_cached: isCached } = (await api.as(key).send('post', `${base}/endpoints/days/run`).send({}))
        .body as unknown as { results: unknown; is_cached: boolean };
      return [results, isCached];
    };
    expect([await run(), await run()]).toEqual([
      [[['e1'], ['e2']], false],
      [[['e1'], ['e2']], true],
    ]);
    await zone('Asia/Tokyo');
    expect(await run()).toEqual([[['e0'], ['e1']], false]);
    expect(await rowsOf("select toDate(timestamp) from events where event = 'e0'")).toEqual([['2026-03-01']]);
    await zone('America/Los_Angeles');
  });
});
