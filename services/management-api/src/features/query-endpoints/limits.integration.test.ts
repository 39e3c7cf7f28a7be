import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type TestApi } from '../../test/test-api.ts';

let api: TestApi;
let acme: Awaited<ReturnType<TestApi['seed']>>;

beforeAll(async () => {
  api = await startTestApi({
    QUERY_SECONDS_MAX: '1',
    QUERY_RESULT_ROWS_MAX: '5',
    QUERY_RESULT_BYTES_MAX: '100000',
    QUERY_READ_ROWS_MAX: '5000000',
    QUERY_MEMORY_BYTES_MAX: '50000000',
    QUERY_RUNNING_PER_PROJECT_MAX: '1',
    QUERY_WAIT_MS_MAX: '0',
    QUERY_THREADS_MAX: '1',
  });
  acme = await api.seed('Acme');
});
afterAll(() => api?.stop());

let made = 0;
async function save(sql: string): Promise<string> {
  const path = `/api/projects/${acme.projectId}/endpoints`;
  const response = await api
    .as(acme.key)
    .send('post', path)
    .send({ name: `l${made++}`, query: { kind: 'HogQLQuery', query: sql } });
  expect([sql, response.status, response.body.detail]).toEqual([sql, 201, undefined]);
  return `${path}/${response.body.name}/run`;
}
const run = (path: string, body: object = {}) => api.as(acme.key).send('post', path).send(body);

const slow = 'SELECT count() FROM numbers(1000000) a JOIN numbers(900001) b ON 1 = 1 WHERE a.number * b.number = 7';

describe('guard rails (contract/endpoints 4.6)', () => {
  test.each([
    ['too slow', slow, 'query_timeout'],
    ['too much memory', 'SELECT length(groupArray(toString(number))) FROM numbers(4000000)', 'query_memory_limit'],
    ['too large a result', "SELECT repeat('x', 1000000) FROM numbers(5)", 'query_result_too_large'],
    ['reading too much', 'SELECT count() FROM numbers(6000000) WHERE number % 7 = 1', 'query_reads_too_much'],
  ])('%s', async (_name, sql, code) => {
    const response = await run(await save(sql));
    expect([response.status, response.body]).toEqual([
      400,
      { type: 'validation_error', code, attr: null, detail: expect.any(String) },
    ]);
  });

  test('reading too many bytes, of few rows', async () => {
    const process = await api.startProcess({ QUERY_READ_BYTES_MAX: '1000000' });
    const path = await save('SELECT sum(number) FROM numbers(1000000)');
    const refused = await api.as(acme.key, process).send('post', path).send({});
    expect([refused.status, refused.body.code]).toEqual([400, 'query_reads_too_much']);
    expect((await run(path)).status).toBe(200);
  });

  test('when the engine as a whole is full it is 503 for all callers (contract/decisions 17)', async () => {
    const process = await api.startProcess({ QUERY_RUNNING_MAX: '1', QUERY_RUNNING_PER_PROJECT_MAX: '5' });
    const other = await api.seed('Other');
    const send = ({ key, projectId }: typeof acme, id: string) =>
      api
        .as(key, process)
        .send('post', `/api/projects/${projectId}/query`)
        .send({ query: { kind: 'HogQLQuery', query: slow }, client_query_id: id });
    const replies = await Promise.all([send(acme, 'a'), send(other, 'b')]);
    const full = replies.find(({ status }) => status === 503);
    expect([full?.body, full?.headers['retry-after']]).toEqual([
      { type: 'server_error', code: 'query_capacity', attr: null, detail: expect.any(String) },
      expect.stringMatching(/^\d+$/),
    ]);
  });

  test('our cap of rows reports that there are more (contract/endpoints 4.5)', async () => {
    const all = await save('SELECT number FROM numbers(10) ORDER BY number');
    expect((await run(all)).body).toMatchObject({ results: [[0], [1], [2], [3], [4]], hasMore: true });
    expect((await run(all, { limit: 100, offset: 3 })).body).toMatchObject({
      results: { length: 5 },
      hasMore: true,
      limit: 100,
    });
    expect((await run(all, { limit: 100, offset: 5 })).body).toMatchObject({ results: { length: 5 }, hasMore: false });
  });

  test('one more at a time than the share of a project is 429', async () => {
    const path = await save(slow);
    const responses = await Promise.all([run(path), run(path, { limit: 1 })]);
    const throttled = responses.find(({ status }) => status === 429);
    expect([throttled?.body, throttled?.headers['retry-after']]).toEqual([
      { type: 'throttled_error', code: 'throttled', attr: null, detail: expect.any(String) },
      '1',
    ]);
  });

  test('one run more than the limit of a key is 429, and another key of the project continues', async () => {
    const process = await api.startProcess({
      QUERY_RUNNING_PER_PROJECT_MAX: '2',
      QUERY_RUNNING_PER_KEY_MAX: '1',
      QUERY_SECONDS_MAX: '60',
    });
    const { key: other } = await api.admin.createKey({ email: acme.email, scopes: ['*'] });
    const [slowly, quick] = [await save(slow), await save('SELECT 1')];
    const aborting = new AbortController();
    const running = fetch(new URL(process.url + slowly), {
      method: 'POST',
      headers: { authorization: `Bearer ${acme.key}` },
      signal: aborting.signal,
    }).catch(() => undefined);
    await eventually(async () => expect(await runningQueries()).toBe(1));
    const requested = async (key: string) => await api.as(key, process).send('post', quick).send({ refresh: 'force' });
    const refused = await requested(acme.key);
    expect([refused.status, refused.body.detail, refused.headers['retry-after']]).toEqual([
      429,
      expect.stringContaining('key'),
      '1',
    ]);
    expect((await requested(other)).status).toBe(200);
    aborting.abort();
    await running;
    await eventually(async () => expect((await requested(acme.key)).status).toBe(200));
  });

  test('calls of a key are counted together, whatever they run: kept rows, rows of now, a stream, a query that is not saved', async () => {
    const process = await api.startProcess({ API_THROTTLES: 'true', API_THROTTLE_PER_MINUTE: '4' });
    const path = await save('SELECT 1');
    const calls: { path: string; body: object }[] = [
      { path, body: {} },
      { path, body: { refresh: 'force' } },
      { path: `${path}?format=csv`, body: {} },
      { path: `/api/projects/${acme.projectId}/query/`, body: { query: { kind: 'HogQLQuery', query: 'SELECT 1' } } },
    ];
    const { key } = await api.admin.createKey({ email: acme.email, scopes: ['*'] });
    const call = async ({ path, body }: (typeof calls)[number]) =>
      await api.as(key, process).send('post', path).send(body);
    for (const one of calls) expect([one, (await call(one)).status]).toEqual([one, 200]);
    for (const one of calls) {
      const { status, headers } = await call(one);
      expect([one, status, Number(headers['retry-after']) > 0]).toEqual([one, 429, true]);
    }
  });

  test('a client that goes away takes its query with it', async () => {
    const path = await save(`${slow} OR a.number = 5`);
    // Its own end by the limit of time is far away; it reads no block in which ClickHouse would look for the end of the connection.
    const patient = await api.startProcess({ QUERY_SECONDS_MAX: '60' });
    const url = new URL(patient.url + path);
    const request = httpRequest(url, {
      method: 'POST',
      headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json' },
    });
    request.on('error', () => undefined);
    request.end('{}');
    await eventually(async () => expect(await runningQueries()).toBe(1));
    request.destroy();
    await eventually(async () => expect(await runningQueries()).toBe(0), { deadlineMs: 5_000 });
  });
});

async function runningQueries(): Promise<number> {
  const { url, admin } = api.clickhouse;
  const query = "SELECT count() FROM system.processes WHERE user = 'tenant' AND query LIKE '%900001%'";
  const response = await fetch(`${url}/?query=${encodeURIComponent(query)}`, {
    headers: { authorization: `Basic ${btoa(`${admin.username}:${admin.password}`)}` },
  });
  return Number(await response.text());
}
