import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { tenantHeaders } from '@millrace/clickhouse/users/tenant-token.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';

// A value of a variable, and a word of the other project: neither may stand in any log that Own reads.
const value = 'VALUE-OF-A-PERSON';
const secret = 'SECRET-OF-THE-OTHER';

interface Entry {
  log_source_id: string;
  instance_id: string;
  timestamp: string;
  level: string;
  message: string;
}
interface Page {
  count: number;
  next: string | null;
  previous: string | null;
  results: Entry[];
  attr: string;
}

let api: TestApi;
let own: Seed;
let other: Seed;

beforeAll(async () => {
  api = await startTestApi();
  own = await api.seed('Own');
  other = await api.seed('Other');
  await api.insertEvents([{ team_id: own.projectId }, { team_id: own.projectId }]);
});
afterAll(() => api?.stop());

const base = (seed: Seed): string => `/api/projects/${seed.projectId}/endpoints`;
let made = 0;
async function save(
  query = 'SELECT event FROM events',
  variables = {},
  seed = own,
  name = `e${made++}`,
): Promise<{ name: string; id: string }> {
  const { status, body, text } = await api
    .as(seed.key)
    .send('post', base(seed))
    .send({ name, query: { kind: 'HogQLQuery', query, variables } });
  expect([status, text]).toEqual([201, text]);
  return { name, id: body.id };
}
const run = (name: string, body: object | string = {}, seed = own) =>
  api
    .as(seed.key)
    .send<{ execution_id: string }>('post', `${base(seed)}/${name}/run`)
    .set('Content-Type', 'application/json')
    .send(typeof body === 'string' ? body : JSON.stringify(body));
const read = (name: string, query = '', seed = own) =>
  api.as(seed.key).send<Page>('get', `${base(seed)}/${name}/logs${query}`);

/** As soon as so many are stored. */
async function logs(name: string, count: number, seed = own): Promise<Entry[]> {
  return await eventually(async () => {
    const { status, body, text } = await read(name, '', seed);
    expect([status, text]).toEqual([200, text]);
    expect([text, body.count]).toEqual([text, count]);
    return body.results;
  });
}

describe('the logs of an endpoint (contract/endpoints 7)', () => {
  test('hold one entry a run, newest first, in the words of the contract', async () => {
    const { name, id } = await save();
    const first = await run(name);
    const second = await run(name);
    const entries = await logs(name, 2);
    expect(entries).toEqual([
      {
        log_source_id: id,
        instance_id: second.body.execution_id,
        timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        level: 'INFO',
        message: expect.stringMatching(
          /^Endpoint run succeeded · path=inline cache=hit duration_ms=\d+ rows=2 version=1$/,
        ),
      },
      {
        log_source_id: id,
        instance_id: first.body.execution_id,
        timestamp: expect.any(String),
        level: 'INFO',
        message: expect.stringMatching(/ cache=miss duration_ms=\d+ rows=2 version=1$/),
      },
    ]);
    expect((await read(name)).body).toMatchObject({ count: 2, next: null, previous: null });
  });

  test('hold requests that were refused once the endpoint was found, with the reason', async () => {
    const { name } = await save('SELECT {variables.n} FROM events', { n: { code_name: 'n', type: 'Number' } });
    const refusals: [object | string, number, string][] = [
      [{ version: 7 }, 404, 'This version of the endpoint does not exist.'],
      [{ offset: 1 }, 400, 'offset requires limit.'],
      [{ refresh: 'direct' }, 400, 'is only for materialized endpoints.'],
      [{ variables: {} }, 400, 'Missing required variables: n.'],
      [{ variables: { n: value } }, 400, 'The variable n must be a number.'],
      [{ variables: { n: 1 }, [secret]: 1 }, 400, 'request · Invalid input.'],
      [{ variables: { n: 1, [`${secret}\nEndpoint run succeeded`]: 1 } }, 400, 'Unknown variables.'],
      [{ variables: { n: 1 }, client_query_id: `${secret}\u001b[31m` }, 400, '(client_query_id)'],
      [`{"variables": {"n": ${value}}}`, 400, 'JSON parse error'],
      [`{"variables": {"n": "${'x'.repeat(2_500_000)}"}}`, 413, 'The request body is too large.'],
    ];
    for (const [body, status] of refusals) expect((await run(name, body)).status).toBe(status);
    expect((await api.as(own.key).send('get', `${base(own)}/${name}/run?limit=${secret}`)).status).toBe(400);
    const entries = await logs(name, refusals.length + 1);
    expect(entries.map(({ level }) => level)).toEqual(entries.map(() => 'ERROR'));
    const messages = entries.map(({ message }) => message);
    expect(messages.filter((message) => !message.startsWith('Endpoint run failed · invalid request · '))).toEqual([]);
    // Refusals of the same millisecond stand in any order.
    for (const reason of [...refusals.map(([, , part]) => part), '(limit)']) {
      expect([
        reason,
        messages.filter((message) => message.endsWith(reason)).length,
        messages.filter((message) => /[\p{Cc}]|SECRET|nonsense/u.test(message)),
      ]).toEqual([reason, 1, []]);
    }
    expect(new Set(entries.map(({ instance_id }) => instance_id)).size).toBe(entries.length);
  });

  test('never hold the value of a variable, not even when the query fails of it', async () => {
    const { name } = await save('SELECT match(event, {variables.v}) FROM events', { v: { code_name: 'v', value: '' } });
    const { name: wrong } = await save('SELECT toDate(event) + {variables.v} FROM events', {
      v: { code_name: 'v', isNull: true },
    });
    const [failed] = await Promise.all([
      run(name, { variables: { v: `(${value}` } }),
      run(wrong, { variables: { v: value } }),
    ]);
    expect([failed.status, failed.text]).toEqual([400, expect.stringContaining(value)]);
    const [entry] = await logs(name, 1);
    expect(entry).toMatchObject({
      level: 'ERROR',
      message: expect.stringMatching(
        /^Endpoint run failed · path=inline cache=miss duration_ms=\d+ version=1 error=\w+$/,
      ),
    });
    await logs(wrong, 1);
    const headers = {
      authorization: `Basic ${Buffer.from(`${api.clickhouse.tenant.username}:${api.clickhouse.tenant.password}`).toString('base64')}`,
      ...tenantHeaders(api.clickhouse.tokenSecret, own.projectId),
    };
    for (const table of ['query_log', 'log_entries']) {
      const text = await (
        await fetch(api.clickhouse.url, {
          method: 'POST',
          body: `SELECT * FROM analytics.${table} FORMAT JSON`,
          headers,
        })
      ).text();
      expect(text).toContain('"data"');
      expect(text).not.toContain(value);
    }
  });

  test('are filtered by time, level, text and run', async () => {
    const { name } = await save();
    const { body } = await run(name);
    await run(name, { version: 3 });
    await run(name, { client_query_id: 'mine' });
    const [third, second, first] = await logs(name, 3);
    const filtered = async (query: string): Promise<(Entry | undefined)[]> => {
      const { status, body: page, text } = await read(name, query);
      expect([query, status, text]).toEqual([query, 200, text]);
      expect(page.count).toBe(page.results.length);
      return page.results;
    };
    expect(await filtered('?limit=1')).toEqual([third]);
    expect(await filtered(`?after=${first?.timestamp}`)).toEqual([third, second]);
    expect(await filtered(`?before=${third?.timestamp}&after=${first?.timestamp}`)).toEqual([second]);
    expect(await filtered('?level=error')).toEqual([second]);
    expect(await filtered('?level=Info,ERROR')).toHaveLength(3);
    expect(await filtered('?level=debug')).toEqual([]);
    expect(await filtered('?search=INVALID%20Request')).toEqual([second]);
    expect(await filtered("?search=' OR 1 --")).toEqual([]);
    expect(await filtered(`?instance_id=${body.execution_id}`)).toEqual([first]);
  });

  test('are shown fifty at a time by default, five hundred at most', async () => {
    const { name, id } = await save();
    const entry = (_: unknown, at: number) => ({
      team_id: own.projectId,
      log_source: 'endpoints',
      log_source_id: id,
      instance_id: crypto.randomUUID(),
      timestamp: new Date(Date.now() - at * 1_000).toISOString().slice(0, 23).replace('T', ' '),
      level: 'INFO',
      message: String(at),
    });
    await api.writer.insert({
      table: 'analytics.log_entries',
      format: 'JSONEachRow',
      values: Array.from({ length: 520 }, entry),
    });
    const found = await Promise.all(['', '?limit=500'].map(async (query) => (await read(name, query)).body.results));
    expect(found.map((entries) => [entries.length, entries.at(-1)?.message])).toEqual([
      [50, '49'],
      [500, '499'],
    ]);
  });

  test.each(['limit=0', 'limit=501', 'limit=abc', 'limit=1.5', 'after=yesterday', 'before=2026-13-01'])(
    '%s is 400 (contract/decisions 7)',
    async (query) => {
      const { name } = await save();
      const { status, body } = await read(name, `?${query}`);
      expect([status, body.attr]).toEqual([400, query.split('=')[0]]);
    },
  );

  test('are there for an endpoint that is off, whose runs are not found and not logged', async () => {
    const { name } = await save();
    await run(name);
    await api
      .as(own.key)
      .send('patch', `${base(own)}/${name}`)
      .send({ is_active: false });
    expect((await run(name)).status).toBe(404);
    await logs(name, 1);
  });
});

interface Stats {
  calls: number;
  errors: number;
  p50_ms: number | null;
  p95_ms: number | null;
  cache_share: number | null;
  date_from: string;
  date_to: string;
  versions: (Omit<Stats, 'versions'> & { version: number | null })[];
  detail: string;
}
const stats = (name: string, query = '', seed = own) =>
  api.as(seed.key).send<Stats>('get', `${base(seed)}/${name}/stats${query}`);

describe('the stats of an endpoint (contract/endpoints 7.1)', () => {
  test('count runs, errors and answers from the cache, by version', async () => {
    const { name } = await save();
    await run(name);
    await run(name);
    await run(name, { version: 9 });
    await api
      .as(own.key)
      .send('patch', `${base(own)}/${name}`)
      .send({ query: { kind: 'HogQLQuery', query: "SELECT match(event, '(') FROM events" } });
    await run(name);
    await logs(name, 4);
    const { body } = await stats(name);
    expect(body).toMatchObject({ calls: 4, errors: 2, cache_share: expect.closeTo(1 / 3), materialized_share: 0 });
    expect(body.versions).toMatchObject([
      { version: 2, calls: 1, errors: 1, cache_share: 0, p50_ms: expect.any(Number) },
      { version: 1, calls: 2, errors: 0, cache_share: 0.5, p95_ms: expect.any(Number) },
      { version: null, calls: 1, errors: 1, cache_share: null, materialized_share: null, p50_ms: null, p95_ms: null },
    ]);
  });

  test('use times of the last seven days, or of the requested days, exact to one in 256', async () => {
    const { name, id } = await save();
    const daysAgo = (days: number): string =>
      new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 19).replace('T', ' ');
    const row = (ms: number, days: number) => ({
      team_id: own.projectId,
      query_id: crypto.randomUUID(),
      endpoint_id: id,
      name,
      endpoint_version: 1,
      query_start_time: daysAgo(days),
      query_duration_ms: ms,
      path: 'inline',
      cache: 'miss',
    });
    const values = [...Array.from({ length: 100 }, (_, at) => row(at + 1, 2)), row(40_000, 8)];
    await api.writer.insert({ table: 'analytics.query_log', format: 'JSONEachRow', values });
    const { body } = await stats(name);
    expect(body).toMatchObject({ calls: 100, errors: 0, cache_share: 0 });
    expect(Math.abs((body.p50_ms ?? 0) - 50)).toBeLessThanOrEqual(1);
    expect(Math.abs((body.p95_ms ?? 0) - 95)).toBeLessThanOrEqual(1);
    const older = (await stats(name, `?date_from=${daysAgo(9).slice(0, 10)}&date_to=${daysAgo(7).slice(0, 10)}`)).body;
    expect(older).toMatchObject({ calls: 1, versions: [{ version: 1, calls: 1 }] });
    expect(Math.abs((older.p95_ms ?? 0) - 40_000)).toBeLessThanOrEqual(40_000 / 256);
    expect((await stats(name, '?date_from=2020-01-01&date_to=2020-01-02')).body).toEqual({
      date_from: '2020-01-01T00:00:00.000000Z',
      date_to: '2020-01-02T23:59:59.999999Z',
      calls: 0,
      errors: 0,
      p50_ms: null,
      p95_ms: null,
      cache_share: null,
      materialized_share: null,
      versions: [],
    });
    const refused = await api.as(own.key).send('get', `${base(own)}/${name}/stats?date_to=soon`);
    expect([refused.status, refused.body.attr]).toEqual([400, 'date_to']);
  });
});

describe('the tables of the logs', () => {
  test('answer SQL, with what a report of usage needs', async () => {
    const { name, id } = await save();
    const { body } = await run(name, { client_query_id: 'dashboard-7' });
    await run(name);
    await logs(name, 2);
    const columns =
      'query_id, endpoint_id, endpoint_version, result_rows, error_code, path, cache, is_personal_api_key_request, api_key_id, client_query_id';
    const { name: report } = await save(
      `SELECT ${columns}, read_rows > 0, query_duration_ms >= 0, query_start_time > '2020-01-01' FROM query_log WHERE name = '${name}' ORDER BY query_start_time`,
    );
    const { body: page } = await api
      .as(own.key)
      .send('post', `${base(own)}/${report}/run`)
      .send({});
    expect(page.results[0]).toEqual([
      body.execution_id,
      id,
      1,
      2,
      '',
      'inline',
      'miss',
      true,
      own.keyId,
      'dashboard-7',
      1,
      1,
      1,
    ]);
    expect(page.results[1]?.slice(6, 7)).toEqual(['hit']);
    const { name: reported } = await save(
      `SELECT level, message LIKE '%version=1' FROM log_entries WHERE log_source = 'endpoints' AND instance_id = '${body.execution_id}'`,
    );
    expect(
      (
        await api
          .as(own.key)
          .send('post', `${base(own)}/${reported}/run`)
          .send({})
      ).body.results,
    ).toEqual([['INFO', 1]]);
  });

  test("never show another project's, by route or by SQL, or past the compiler", async () => {
    const { name } = await save('SELECT event FROM events', {}, other, secret);
    await run(name, {}, other);
    await logs(name, 1, other);
    expect((await read(secret)).status).toBe(404);
    expect((await stats(secret)).status).toBe(404);
    for (const table of ['query_log', 'log_entries']) {
      const { name: hostile } = await save(`SELECT * FROM ${table} WHERE 1 OR 1 = 1 LIMIT 1000`);
      const { status, text } = await run(hostile);
      expect([status, text.includes(secret)]).toEqual([200, false]);
      const headers = {
        authorization: `Basic ${Buffer.from(`${api.clickhouse.tenant.username}:${api.clickhouse.tenant.password}`).toString('base64')}`,
        ...tenantHeaders(api.clickhouse.tokenSecret, own.projectId),
      };
      const teams = await (
        await fetch(api.clickhouse.url, {
          method: 'POST',
          body: `SELECT DISTINCT team_id FROM analytics.${table}`,
          headers,
        })
      ).text();
      expect(teams.trim()).toBe(String(own.projectId));
    }
  });

  test('are filled at a stop too, and a process without the password keeps nothing and works', async () => {
    const { name } = await save();
    const second = await api.startProcess();
    await api
      .as(own.key, second)
      .send('post', `${base(own)}/${name}/run`)
      .send({});
    await second.stop();
    expect((await read(name)).body.count).toBe(1);
    const silent = await api.startProcess({ CLICKHOUSE_RECORDER_PASSWORD: '' });
    expect(
      (
        await api
          .as(own.key, silent)
          .send('post', `${base(own)}/${name}/run`)
          .send({})
      ).status,
    ).toBe(200);
    await silent.stop();
    expect((await read(name)).body.count).toBe(1);
  });
});
