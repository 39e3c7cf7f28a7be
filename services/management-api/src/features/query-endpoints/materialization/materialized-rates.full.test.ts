import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { queryAs } from '@millrace/engines/canary-setup.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { ManagementApi } from '../../../app.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// Runs that a table answers cost little, so a key may have more of them (contract/endpoints 4.6).
let api: TestApi;
let slow: ManagementApi;
let acme: Seed;
beforeAll(async () => {
  api = await startTestApi();
  slow = await api.startProcess({
    API_THROTTLES: 'true',
    API_THROTTLE_PER_MINUTE: '2',
    API_THROTTLE_MATERIALIZED_PER_MINUTE: '4',
  });
  acme = await api.seed('Acme');
  const query = {
    kind: 'HogQLQuery',
    query: 'SELECT count() AS total FROM events WHERE event = {variables.event}',
    variables: { event: { code_name: 'event' } },
  };
  const made = await send('', { name: 'stored', query, is_materialized: true });
  expect(made.status).toBe(201);
  await eventually(async () => expect((await run(acme.key, {}, api.api)).body['path']).toBe('materialized'), {
    deadlineMs: 20_000,
  });
});
afterAll(() => api?.stop());

const send = (path: string, body: object, key = acme.key, process = api.api) =>
  api
    .as(key, process)
    .send<Record<string, unknown>>('post', `/api/projects/${acme.projectId}/endpoints${path}`)
    .send(body);
const run = (key: string, body: object = {}, process = slow) =>
  send('/stored/run', { variables: { event: 'paid' }, debug: true, ...body }, key, process);

test('runs of a table are counted apart from the other calls of a key, and have their own most', async () => {
  const { key } = await api.admin.createKey({ email: acme.email, scopes: ['*'] });
  for (const path of ['inline', 'materialized', 'inline', 'materialized', 'materialized', 'materialized'])
    expect((await run(key, path === 'inline' ? { refresh: 'direct' } : {})).body).toMatchObject({ path });
  for (const body of [{ refresh: 'direct' }, {}]) {
    const { status, headers } = await run(key, body);
    expect([status, Number(headers['retry-after']) > 50]).toEqual([429, true]);
  }
  expect((await api.as(key, slow).send('get', '/api/users/@me')).status).toBe(429);
});

test('a run of a table waits for no query of its key, and has a limit of its own', async () => {
  const full = await api.startProcess({
    QUERY_RUNNING_PER_PROJECT_MAX: '1',
    QUERY_TABLES_PER_PROJECT_MAX: '1',
    QUERY_WAIT_MS_MAX: '0',
  });
  const hard = {
    kind: 'HogQLQuery',
    query: 'SELECT count() FROM numbers(1000000) a JOIN numbers(900002) b ON 1 = 1 WHERE a.number * b.number = 7',
  };
  const aborting = new AbortController();
  const running = fetch(`${full.url}/api/projects/${acme.projectId}/query`, {
    method: 'POST',
    headers: { authorization: `Bearer ${acme.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: hard }),
    signal: aborting.signal,
  }).catch(() => undefined);
  const { url, admin } = api.clickhouse;
  await eventually(async () => {
    const count = "SELECT count() FROM system.processes WHERE user = 'tenant' AND query LIKE '%900002%'";
    const reply = await queryAs({ user: admin.username, password: admin.password }, url, count);
    expect(reply.trim()).toBe('1');
  });
  expect((await run(acme.key, { refresh: 'direct' }, full)).status).toBe(429);
  expect((await run(acme.key, { refresh: 'force' }, full)).body).toMatchObject({ path: 'materialized' });
  await eventually(async () => {
    const together = await Promise.all(Array.from({ length: 8 }, () => run(acme.key, { refresh: 'force' }, full)));
    expect(together.find(({ status }) => status === 429)?.body).toMatchObject({
      code: 'throttled',
      detail: expect.stringContaining('tables of materialized endpoints'),
    });
  });
  aborting.abort();
  await running;
});

test('requests that no run comes of are counted too', async () => {
  const { key } = await api.admin.createKey({ email: acme.email, scopes: ['*'] });
  const statuses = [];
  for (let time = 0; time < 7; time++) statuses.push((await run(key, { variables: {} })).status);
  expect(statuses).toEqual([...Array<number>(6).fill(400), 429]);
});
