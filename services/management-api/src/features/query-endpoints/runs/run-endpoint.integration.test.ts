import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type TestApi } from '../../../test/test-api.ts';

let api: TestApi;
let acme: Awaited<ReturnType<TestApi['seed']>>;
let base: string;

beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  base = `/api/projects/${acme.projectId}/endpoints`;
  const rows = Array.from({ length: 10 }, (_, n) => ({
    team_id: acme.projectId,
    event: n % 2 === 0 ? 'even' : 'odd',
    distinct_id: `d${n}`,
    timestamp: `2026-01-02 03:04:0${n}.000000`,
    properties: { n, text: `line\n"${n}"`, big: 2 ** 40 },
  }));
  await api.insertEvents(rows);
});
afterAll(() => api?.stop());

let made = 0;
async function save(sql: string, variables?: Record<string, unknown>): Promise<string> {
  const name = `e${made++}`;
  const response = await api
    .as(acme.key)
    .send('post', base)
    .send({ name, query: { kind: 'HogQLQuery', query: sql, ...(variables ? { variables } : {}) } });
  expect([response.status, response.body]).toEqual([201, expect.objectContaining({ name })]);
  return name;
}
const post = (name: string, body: object = {}) => api.as(acme.key).send('post', `${base}/${name}/run`).send(body);
const get = (name: string, query = '') => api.as(acme.key).send('get', `${base}/${name}/run${query}`);

describe('a run returns the rows of its project', () => {
  test('with all fields of contract/endpoints 4.4', async () => {
    const sql = 'SELECT event, count() AS total FROM events GROUP BY event ORDER BY event';
    const name = await save(sql);
    const response = await post(name);
    expect(response.status).toBe(200);
    expect(response.text.startsWith('{"is_cached":false,"age_seconds":0,"results":[')).toBe(true);
    expect(response.body).toEqual({
      is_cached: false,
      age_seconds: 0,
      results: [
        ['even', 5],
        ['odd', 5],
      ],
      columns: ['event', 'total'],
      types: [
        ['event', 'String'],
        ['total', 'UInt64'],
      ],
      name,
      execution_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      endpoint_version: 1,
      endpoint_version_created_at: expect.any(String),
      hasMore: false,
      warnings: [],
      query: sql,
      last_refresh: expect.any(String),
      cache_target_age: expect.any(String),
      next_allowed_client_refresh: expect.any(String),
      timezone: 'UTC',
      query_status: null,
      query_metadata: null,
      error: null,
      row_count: 2,
      statistics: { elapsed: expect.any(Number), rows_read: expect.any(Number), bytes_read: expect.any(Number) },
    });
  });

  test('values as the contract writes them: times with zone, numbers with all digits, no NaN', async () => {
    const name = await save(
      "SELECT timestamp, toDate(timestamp), uuid, 9007199254740993, 1 / 0, [1, 2], tuple(1, 'a'), NULL, true, properties.n + 1, toDecimal('1.50', 2), properties FROM events ORDER BY timestamp LIMIT 1",
    );
    const response = await post(name);
    expect(response.status).toBe(200);
    expect(response.text).toContain('9007199254740993,');
    const [row] = response.body.results;
    expect(row).toEqual([
      expect.stringMatching(/^2026-01-02T03:04:00(\.0+)?Z$/),
      '2026-01-02',
      expect.stringMatching(/^[0-9a-f-]{36}$/),
      expect.any(Number),
      null,
      [1, 2],
      [1, 'a'],
      null,
      true,
      1,
      1.5,
      expect.anything(),
    ]);
  });

  test('debug shows the SQL of the engine and times, nothing of the token', async () => {
    const response = await post(await save('SELECT 1'), { debug: true, client_query_id: 'mine' });
    expect(response.body).toMatchObject({
      hogql: 'SELECT 1',
      clickhouse: expect.stringContaining('SELECT'),
      timings: expect.any(Array),
      client_query_id: 'mine',
    });
    expect(response.text).not.toContain(api.clickhouse.tokenSecret);
  });

  test('the run sets last_executed_at of the endpoint', async () => {
    const name = await save('SELECT 1');
    expect((await api.as(acme.key).send('get', `${base}/${name}`)).body.last_executed_at).toBeNull();
    await post(name);
    await eventually(async () =>
      expect((await api.as(acme.key).send('get', `${base}/${name}`)).body.last_executed_at).not.toBeNull(),
    );
  });

  test('unless it failed or was refused', async () => {
    const [failing, next] = [await save("SELECT match(event, '(') FROM events"), await save('SELECT 1')];
    for (const body of [{}, { version: 7 }]) expect((await post(failing, body)).status).toBeGreaterThanOrEqual(400);
    expect((await get(failing, '?format=csv')).status).toBe(400);
    await post(next);
    const timeOf = async (endpoint: string) =>
      (await api.as(acme.key).send('get', `${base}/${endpoint}`)).body.last_executed_at;
    // All earlier times are written with this one.
    await eventually(async () => expect(await timeOf(next)).not.toBeNull());
    expect(await timeOf(failing)).toBeNull();
  });
});

describe('variables (contract/endpoints 4.3)', () => {
  const variables = {
    a: { code_name: 'event', type: 'String' },
    b: { code_name: 'least', type: 'Number', value: 0 },
  };
  const sql =
    'SELECT properties.n FROM events WHERE event = {variables.event} AND properties.n >= {variables.least} ORDER BY timestamp';

  test('come from the body, from the URL as JSON or one by one; the others have their defaults', async () => {
    const name = await save(sql, variables);
    const numbers = (response: { body: { results: unknown[][] } }) => response.body.results.map(([n]) => Number(n));
    expect(numbers(await post(name, { variables: { event: 'odd', least: 5 } }))).toEqual([5, 7, 9]);
    expect(numbers(await post(name, { variables: { event: 'even' } }))).toEqual([0, 2, 4, 6, 8]);
    expect(numbers(await get(name, `?variables=${encodeURIComponent('{"event":"odd","least":7}')}`))).toEqual([7, 9]);
    expect(numbers(await get(name, '/?variables[event]=odd&variables[least]=9'))).toEqual([9]);
    expect(numbers(await get(name, '?variables[event]=even&variables[least]=9&variables[event]=odd'))).toEqual([9]);
  });

  test('are set by plain parameters too; an unknown parameter is a 400 that names them, in streams too (decision 76)', async () => {
    const name = await save(sql, variables);
    expect((await get(name, '?event=odd&least=7')).body.results.flat().map(Number)).toEqual([7, 9]);
    expect((await get(name, '?event=odd&least=7&format=csv')).text.trim().split('\n')).toHaveLength(3);
    for (const query of ['?event=odd&lest=7', '?event=odd&lest=7&format=csv']) {
      const { status, body } = await get(name, query);
      expect([status, body]).toEqual([
        400,
        {
          type: 'validation_error',
          code: 'invalid_input',
          attr: 'lest',
          detail: 'Unknown parameter "lest". Variables here: event, least.',
        },
      ]);
    }
  });

  test('in the body never hide a plain parameter in silence', async () => {
    const name = await save(sql, variables);
    const { status, body } = await api
      .as(acme.key)
      .send('post', `${base}/${name}/run?least=7`)
      .send({ variables: { event: 'odd' } });
    expect([status, body]).toMatchObject([400, { code: 'invalid_input', attr: 'least' }]);
  });

  test('of one run are not those of the next', async () => {
    const name = await save(sql, variables);
    const numbersOf = async (event: string) =>
      (await post(name, { variables: { event, least: 5 }, refresh: 'force' })).body.results.flat().map(Number);
    expect([await numbersOf('odd'), await numbersOf('even'), await numbersOf('odd')]).toEqual([
      [5, 7, 9],
      [6, 8],
      [5, 7, 9],
    ]);
  });

  test('longer than the engine takes are a 400, not a 500', async () => {
    const name = await save('SELECT length({variables.text})', { text: { code_name: 'text', value: '' } });
    expect((await post(name, { variables: { text: 'x'.repeat(100_000) } })).body.results).toEqual([[100_000]]);
    for (const text of ['x'.repeat(200_000), '東'.repeat(100_000)]) {
      const response = await post(name, { variables: { text } });
      expect([response.status, response.body.code]).toEqual([400, 'query_too_large']);
    }
  });

  test('lists, dates and null', async () => {
    const lists = await save('SELECT count() FROM events WHERE event IN {variables.names}', {
      a: { code_name: 'names', type: 'List' },
    });
    expect((await post(lists, { variables: { names: ['odd', 'other'] } })).body.results).toEqual([[5]]);
    expect((await get(lists, '?variables[names]=odd,other')).body.results).toEqual([[5]]);
    const dates = await save('SELECT count() FROM events WHERE timestamp >= {variables.since}', {
      a: { code_name: 'since', type: 'Date' },
    });
    expect((await post(dates, { variables: { since: '2026-01-02T03:04:05' } })).body.results).toEqual([[5]]);
    expect((await post(dates, { variables: { since: '2026-01-02T05:04:05+02:00' } })).body.results).toEqual([[5]]);
    const nothing = await save('SELECT count() FROM events WHERE event = {variables.name}', {
      a: { code_name: 'name', isNull: true },
    });
    expect((await post(nothing)).body.results).toEqual([[0]]);
  });

  test.each([
    ['unknown', { event: 'odd', other: 1 }, 'invalid_input', 'other'],
    ['missing', {}, 'required', 'event'],
    ['of another type', { event: 'odd', least: 'x' }, 'invalid_input', 'least'],
  ])('%s is a 400 that names it', async (_name, given, code, word) => {
    const response = await post(await save(sql, variables), { variables: given });
    expect([response.status, response.body]).toEqual([
      400,
      { type: 'validation_error', code, attr: 'variables', detail: expect.stringContaining(word) },
    ]);
  });
});

describe('warnings about a result that is probably not the intended one', () => {
  const sql = 'SELECT count() FROM events WHERE person_id = {variables.who} AND timestamp > now() - 7';
  const variables = { a: { code_name: 'who', type: 'String' } };
  const expected = [
    {
      code: 'no_uuid',
      message: "'d1é' is not a UUID: no value of the column equals it (line 1, column 46)",
      start: 45,
      end: 60,
    },
    {
      code: 'seconds',
      message:
        'A number added to a time, or subtracted from it, is in seconds: this is 7 seconds. For days write - INTERVAL 7 DAY (line 1, column 86)',
      start: 85,
      end: 86,
    },
  ];

  test('in replies, cached ones and streams too', async () => {
    const name = await save(sql, variables);
    for (const isCached of [false, true])
      expect((await post(name, { variables: { who: 'd1é' } })).body).toMatchObject({
        is_cached: isCached,
        results: [[0]],
        warnings: expected,
      });
    expect((await get(name, '?who=d1é&format=json')).body.warnings).toEqual(expected);
    for (const format of ['csv', 'ndjson']) {
      const { headers } = await get(name, `?who=d1é&format=${format}`);
      expect(headers['x-warnings']).toMatch(/^[ -~]+$/);
      expect(JSON.parse(headers['x-warnings'] ?? '')).toEqual(expected);
    }
    expect((await get(name, `?who=${crypto.randomUUID()}`)).body.warnings).toMatchObject([{ code: 'seconds' }]);
    expect((await get(await save('SELECT 1'), '?format=csv')).headers['x-warnings']).toBeUndefined();
  });
});

describe('pages (contract/endpoints 4.5)', () => {
  const all = 'SELECT distinct_id FROM events ORDER BY timestamp';

  test.each([
    ['first page', all, { limit: 3 }, ['d0', 'd1', 'd2'], true],
    ['last page', all, { limit: 4, offset: 8 }, ['d8', 'd9'], false],
    ['a page that ends with the rows', all, { limit: 5, offset: 5 }, ['d5', 'd6', 'd7', 'd8', 'd9'], false],
    ['behind the end', all, { limit: 5, offset: 50 }, [], false],
    ['the own LIMIT is a ceiling', `${all} LIMIT 4`, { limit: 3 }, ['d0', 'd1', 'd2'], true],
    ['the ceiling within a page', `${all} LIMIT 4`, { limit: 3, offset: 3 }, ['d3'], false],
    ['a page of one row', all, { limit: 1 }, ['d0'], true],
  ])('%s', async (_name, sql, body, ids, hasMore) => {
    const { body: reply } = await post(await save(sql), body);
    expect([reply.results.flat(), reply.hasMore, reply.limit, reply.offset]).toEqual([
      ids,
      hasMore,
      body.limit,
      'offset' in body ? body.offset : 0,
    ]);
  });

  test('of one endpoint, one after the other', async () => {
    const name = await save(all);
    const pages = [
      await post(name, { limit: 2, refresh: 'force' }),
      await post(name, { limit: 2, offset: 2, refresh: 'force' }),
      await post(name, { limit: 2, refresh: 'force' }),
    ];
    expect(pages.map(({ body }) => body.results.flat())).toEqual([
      ['d0', 'd1'],
      ['d2', 'd3'],
      ['d0', 'd1'],
    ]);
  });

  test('rows of odd texts survive the cut', async () => {
    const { body } = await get(
      await save('SELECT properties.text, \'],\n\n\t"rows": 5\' FROM events ORDER BY timestamp'),
      '?limit=2',
    );
    expect(body.results).toEqual([
      ['line\n"0"', '],\n\n\t"rows": 5'],
      ['line\n"1"', '],\n\n\t"rows": 5'],
    ]);
  });

  test('without limit all rows are returned', async () =>
    expect((await post(await save(all))).body).toMatchObject({ hasMore: false, results: { length: 10 } }));

  test.each([
    ['limit 0 in the body: with attr', 'post', '', { limit: 0 }, { attr: 'limit', code: 'min_value' }],
    ['limit 0 in the URL: with error', 'get', '?limit=0', {}, { attr: 'limit', error: 'Invalid limit parameter: 0' }],
    ['a limit that is no number', 'get', '?limit=x', {}, { attr: 'limit', error: 'Invalid limit parameter: x' }],
    [
      'a version that is no number',
      'get',
      '?version=x',
      {},
      { attr: 'version', error: 'Invalid version parameter: x' },
    ],
    ['offset without limit', 'get', '?offset=1', {}, { attr: 'offset', error: 'offset requires limit.' }],
    [
      'offset without limit in the body',
      'post',
      '',
      { offset: 1 },
      { attr: 'offset', error: 'offset requires limit.' },
    ],
    ['an unknown field', 'post', '', { query_override: {} }, { attr: 'query_override' }],
    ['an unknown refresh', 'post', '', { refresh: 'maybe' }, { attr: 'refresh', code: 'invalid_choice' }],
    ['refresh direct', 'post', '', { refresh: 'direct' }, { attr: 'refresh' }],
    ['filters_override', 'post', '', { filters_override: { properties: [] } }, { attr: 'filters_override' }],
    ['variables that are no JSON', 'get', '?variables={', {}, { attr: 'variables' }],
  ] as const)('%s is a 400', async (_name, method, query, body, expected) => {
    const made = await save(all);
    const response = await (method === 'post' ? post(made, body) : get(made, query));
    expect([response.status, response.body]).toEqual([400, expect.objectContaining(expected)]);
  });

  test('an unknown version is a 404 that names the current one, before any other check', async () => {
    const response = await post(await save(all), { version: 7, refresh: 'direct', variables: { unknown: 1 } });
    expect([response.status, response.body]).toEqual([
      404,
      expect.objectContaining({ code: 'not_found', current_version: 1, error: expect.stringContaining('7') }),
    ]);
  });
});

describe('limits of a query (contract/endpoints 4.6)', () => {
  test.each([
    ['a fault that only the engine sees', "SELECT toInt(throwIf(event = 'odd')) FROM events", 400, undefined],
  ])('%s', async (_name, sql, status) => {
    const created = await api
      .as(acme.key)
      .send('post', base)
      .send({ name: `x${made++}`, query: { kind: 'HogQLQuery', query: sql } });
    expect([400, 201]).toContain(created.status);
    if (created.status === 201) expect((await post(created.body.name)).status).toBe(status);
  });
});
