import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../test/test-api.ts';

let api: TestApi;
let west: Seed;
let utc: Seed;

beforeAll(async () => {
  api = await startTestApi({ QUERY_RESULT_ROWS_MAX: '20000' });
  [west, utc] = [await api.seed('West'), await api.seed('Utc')];
  const events = (teamId: number) =>
    ['2026-03-01 17:30:00.123456', '2026-07-01 16:30:00.000000'].map((timestamp, n) => ({
      team_id: teamId,
      event: `e${n}`,
      distinct_id: 'd',
      timestamp,
      properties: { at: '1960-03-01 17:30:00', n },
    }));
  await api.insertEvents([...events(west.projectId), ...events(utc.projectId)]);
  const reply = await api
    .as(west.key)
    .send('patch', `/api/projects/${west.projectId}`)
    .send({ timezone: 'America/Los_Angeles' });
  expect(reply.status).toBe(200);
});
afterAll(() => api?.stop());

interface Result {
  results: unknown[][];
  columns: string[];
  types: [string, string][];
}

async function ask({ key, projectId }: Seed, query: string): Promise<Result> {
  const { status, body } = await api
    .as(key)
    .send<Result & { detail?: string }>('post', `/api/projects/${projectId}/query`)
    .send({ query: { kind: 'HogQLQuery', query } });
  expect([query, status, body.detail]).toEqual([query, 200, undefined]);
  return body;
}

async function run({ key, projectId }: Seed, sql: string, query: string) {
  const base = `/api/projects/${projectId}/endpoints`;
  const name = `e${Math.random().toString(36).slice(2)}`;
  const made = await api
    .as(key)
    .send('post', base)
    .send({ name, query: { kind: 'HogQLQuery', query: sql } });
  expect([sql, made.status, made.body.detail]).toEqual([sql, 201, undefined]);
  return await api.as(key).send('get', `${base}/${name}/run${query}`).buffer(true);
}

describe('times in a result of a project with a time zone have its offset', () => {
  const sql = 'SELECT timestamp AS at, event FROM events ORDER BY timestamp';
  const rows = [
    ['2026-03-01T09:30:00.123456-08:00', 'e0'],
    ['2026-07-01T09:30:00.000000-07:00', 'e1'],
  ];
  const types = [
    ['at', "DateTime64(6, 'America/Los_Angeles')"],
    ['event', 'String'],
  ];

  test('in queries and in runs of endpoints, kept or not', async () => {
    expect(await ask(west, sql)).toMatchObject({ results: rows, columns: ['at', 'event'], types });
    expect((await run(west, sql, '')).body).toMatchObject({ results: rows, types });
  });

  test('between which INTERPOLATE fills in as where they are those of UTC', async () => {
    const sql =
      "SELECT toDateTime64('2026-03-01 09:00:00', 6) + toIntervalHour(number * 2) AS hour, number + 1 AS n FROM numbers(2) ORDER BY hour WITH FILL STEP INTERVAL 1 HOUR INTERPOLATE";
    expect((await ask(west, sql)).results.map(([, n]) => n)).toEqual([1, 1, 2]);
    expect((await ask(utc, sql)).results.map(([, n]) => n)).toEqual([1, 1, 2]);
  });

  test('in each format', async () => {
    expect((await run(west, sql, '?format=json')).body).toMatchObject({ results: rows, types });
    expect((await run(west, sql, '?format=objects')).body).toMatchObject({
      results: rows.map(([at, event]) => ({ at, event })),
    });
    expect((await run(west, sql, '?format=csv')).text).toBe(
      `"at","event"\n${rows.map(([at, event]) => `"${at}","${event}"\n`).join('')}`,
    );
    expect((await run(west, sql, '?format=ndjson')).text).toBe(
      rows.map(([at, event]) => `{"at":"${at}","event":"${event}"}\n`).join(''),
    );
  });

  test('inside of lists, tuples and maps, and NULL stays NULL', async () => {
    const { results, types } = await ask(
      west,
      "SELECT groupArray(timestamp), (min(timestamp), 1), map('first', min(timestamp)), toDateTime(any(properties.none)), [(1, [max(timestamp)])] FROM events",
    );
    expect(results).toEqual([
      [
        expect.arrayContaining([rows[0]?.[0], rows[1]?.[0]]),
        [rows[0]?.[0], 1],
        { first: rows[0]?.[0] },
        null,
        [[1, [rows[1]?.[0]]]],
      ],
    ]);
    const time = "DateTime64(6, 'America/Los_Angeles')";
    expect(types.map(([, type]) => type)).toEqual([
      `Array(${time})`,
      `Tuple(${time}, UInt8)`,
      `Map(String, Nullable(${time}))`,
      `Nullable(${time})`,
      `Array(Tuple(UInt8, Array(${time})))`,
    ]);
  });

  test('also in rows of a set, of ties and of filled gaps, and in no row', async () => {
    const last = async (query: string) => (await ask(west, query)).results.at(-1)?.[0];
    expect(await last('SELECT min(timestamp) FROM events UNION ALL SELECT min(timestamp) FROM events')).toBe(
      rows[0]?.[0],
    );
    expect(await last('SELECT timestamp FROM events ORDER BY timestamp LIMIT 1 WITH TIES')).toBe(rows[0]?.[0]);
    expect(
      await last(
        "SELECT toStartOfHour(timestamp) AS h, count() FROM events WHERE event = 'e0' GROUP BY h ORDER BY h WITH FILL TO toDateTime('2026-03-01 11:00:00') STEP INTERVAL 1 HOUR",
      ),
    ).toBe('2026-03-01T10:00:00.000000-08:00');
    expect(await ask(west, `SELECT timestamp FROM events WHERE event = 'none'`)).toMatchObject({
      results: [],
      types: [['timestamp', types[0]?.[1]]],
    });
  });

  test('with the order and the number of rows of the query', async () => {
    const { results } = await ask(
      west,
      "SELECT toDateTime('2026-10-31 20:00:00') + toIntervalMinute(number) AS t FROM numbers(20000) ORDER BY t DESC LIMIT 15000",
    );
    const times = results.map(([time]) => Date.parse(String(time)));
    expect([times.length, times.every((time, at) => at === 0 || time === (times[at - 1] as number) - 60_000)]).toEqual([
      15_000,
      true,
    ]);
  });

  test('which is that of a zone that the query names', async () =>
    expect(
      (
        await ask(
          west,
          "SELECT toTimeZone(timestamp, 'Asia/Tokyo'), toTimeZone(timestamp, 'UTC'), toStartOfDay(timestamp, 'Asia/Kolkata') FROM events WHERE event = 'e0'",
        )
      ).results,
    ).toEqual([['2026-03-02T02:30:00.123456+09:00', '2026-03-01T17:30:00.123456Z', '2026-03-01T00:00:00+05:30']]));

  // ClickHouse counts clocks that passed the date line, or that were a little off, a day wrong.
  test('also where clocks have passed the date line', async () =>
    expect(
      (
        await ask(
          west,
          "SELECT toTimeZone(timestamp, 'Pacific/Kiritimati'), toTimeZone(timestamp, 'Pacific/Apia'), toTimeZone(toDateTime('2010-01-01 12:00:00Z'), 'Pacific/Apia'), toTimeZone(toDateTime('1969-12-01 12:00:00Z'), 'Europe/London') FROM events WHERE event = 'e0'",
        )
      ).results,
    ).toEqual([
      [
        '2026-03-02T07:30:00.123456+14:00',
        '2026-03-02T06:30:00.123456+13:00',
        '2010-01-01T01:00:00.000000-11:00',
        '1969-12-01T13:00:00.000000+01:00',
      ],
    ]));

  // Clocks of Amsterdam were 19 minutes and 32 seconds ahead of UTC until 1937.
  test('or UTC, where the zone has not had the offset since 1970', async () =>
    expect(
      (
        await ask(
          west,
          "SELECT toTimeZone(toDateTime('1930-01-01 12:00:00Z'), 'Europe/Amsterdam'), toTimeZone(toDateTime('1960-06-01 12:00:00Z'), 'Africa/Monrovia'), toTimeZone(toDateTime('1950-01-01 12:00:00Z'), 'Europe/Amsterdam')",
        )
      ).results,
    ).toEqual([['1930-01-01T12:00:00.000000Z', '1960-06-01T12:00:00.000000Z', '1950-01-01T13:00:00.000000+01:00']]));
});

describe('a project in UTC', () => {
  test('has times of UTC', async () =>
    expect(await ask(utc, "SELECT timestamp, toStartOfDay(timestamp) FROM events WHERE event = 'e0'")).toMatchObject({
      results: [['2026-03-01T17:30:00.123456Z', '2026-03-01T00:00:00Z']],
      types: [
        ['timestamp', "DateTime64(6, 'UTC')"],
        ['toStartOfDay(timestamp)', "DateTime('UTC')"],
      ],
    }));

  test('and the offset of a zone that the query names', async () =>
    expect(
      await ask(utc, "SELECT toTimeZone(timestamp, 'Asia/Tokyo') AS t FROM events WHERE event = 'e0'"),
    ).toMatchObject({
      results: [['2026-03-02T02:30:00.123456+09:00']],
      types: [['t', "DateTime64(6, 'Asia/Tokyo')"]],
    }));
});

// The compiler says the types of times that are sent as texts: they are those that the engine has for them.
describe('types are those of the engine', () => {
  /** A time without a zone of its own is shown in the project's. */
  const inProject = (engineType: unknown): string =>
    String(engineType)
      .replaceAll("'UTC'", "'America/Los_Angeles'")
      .replaceAll(/\bDateTime(?!64|\()/g, "DateTime('America/Los_Angeles')");

  test.each([
    'timestamp',
    "toTimeZone(timestamp, 'Asia/Tokyo')",
    'toStartOfMinute(timestamp)',
    'toStartOfFiveMinutes(timestamp)',
    'toStartOfTenMinutes(timestamp)',
    'toStartOfFifteenMinutes(timestamp)',
    'toStartOfHour(timestamp)',
    'toStartOfDay(timestamp)',
    'toStartOfSecond(timestamp)',
    'timeSlot(timestamp)',
    "dateTrunc('second', timestamp)",
    "dateTrunc('day', timestamp)",
    "dateTrunc('hour', toStartOfHour(timestamp))",
    "dateTrunc('hour', toDate(timestamp))",
    'toStartOfInterval(timestamp, interval 15 minute)',
    'toStartOfInterval(timestamp, interval 1 second)',
    "toStartOfInterval(timestamp, interval 1 week, toDateTime('2026-01-01'))",
    'addHours(timestamp, 1)',
    'addHours(toStartOfHour(timestamp), 1)',
    'addHours(toDate(timestamp), 1)',
    'addDays(toStartOfHour(timestamp), 1)',
    'toStartOfHour(timestamp) + interval 1 day',
    'toDate(timestamp) + interval 3 hour',
    'toStartOfHour(timestamp) - 5',
    'toDateTime64(timestamp, 3)',
    'toDateTime64(timestamp, 9)',
    'toDateTime64(toStartOfHour(timestamp), 0)',
    "toDateTime(properties.at, 'Europe/Berlin')",
    'toDateTime(properties.at)',
    'toDateTime(properties.n)',
    "parseDateTime(properties.at, '%Y-%m-%d %H:%i:%s')",
    'fromUnixTimestamp(1)',
    'fromUnixTimestamp64Milli(1)',
    'now()',
    'now64(3)',
    "now('Asia/Tokyo')",
    'if(properties.n > 0, timestamp, toStartOfHour(timestamp))',
    'if(properties.n > 0, toStartOfHour(timestamp), toStartOfDay(timestamp))',
    "if(properties.n > 0, toStartOfHour(timestamp), dateTrunc('day', timestamp))",
    "coalesce(toDateTime(properties.at), timestamp, '2026-01-01')",
    'if(properties.n > 0, timestamp, NULL)',
    'greatest(timestamp, toDate(timestamp))',
    'lag(toStartOfHour(timestamp)) over (order by timestamp)',
    'arrayMax([timestamp, toStartOfHour(timestamp)])',
    '(select max(timestamp) from events)',
    '[toStartOfHour(timestamp), timestamp]',
    'arrayDistinct([timestamp])',
    'arrayFlatten([[timestamp], [toStartOfHour(timestamp)]])',
    'arrayFilter(x -> x > timestamp, [timestamp])',
    'arrayMap(x -> toStartOfHour(x), [timestamp])',
    'arrayMap(x -> (x, event), [timestamp])',
    'arrayZip([timestamp], [1])',
    'arrayWithConstant(2, timestamp)',
    "mapValues(map('a', timestamp))",
    "map('a', timestamp)['a']",
    '(timestamp, 1).1',
    'tupleElement((timestamp, 1), 1)',
    'arrayElementOrNull([timestamp], 2)',
    'person.created_at',
    'cast(timestamp as Nullable(DateTime))',
  ])('%s', async (expr) => {
    const { types, results } = await ask(west, `SELECT ${expr} AS v, toTypeName(${expr}) AS t FROM events`);
    expect(types[0]?.[1]).toBe(inProject(results[0]?.[1]));
    expect(JSON.stringify(results[0]?.[0])).not.toContain('Z"');
  });

  test.each([
    'max(timestamp)',
    'argMax(toStartOfHour(timestamp), timestamp)',
    'groupUniqArray(toStartOfHour(timestamp))',
    "anyIf(timestamp, event = 'e0')",
    'minOrNull(timestamp)',
    'groupArray((timestamp, event))',
    'maxMerge(s)',
    'sumMap([timestamp], [1])',
    'maxForEach([timestamp])',
    'topK(2)(timestamp)',
  ])('of aggregates: %s', async (expr) => {
    const from = expr.includes('Merge(s)') ? '(SELECT maxState(timestamp) AS s FROM events)' : 'events';
    const { types, results } = await ask(west, `SELECT ${expr} AS v, toTypeName(${expr}) AS t FROM ${from}`);
    expect(types[0]?.[1]).toBe(inProject(results[0]?.[1]));
    expect(JSON.stringify(results[0]?.[0])).not.toMatch(/Z"|\+00:00/);
  });
});
