import { afterAll, beforeAll, expect, test } from '@jest/globals';
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

test('requests that no run comes of are counted too', async () => {
  const { key } = await api.admin.createKey({ email: acme.email, scopes: ['*'] });
  const statuses = [];
  for (let time = 0; time < 7; time++) statuses.push((await run(key, { variables: {} })).status);
  expect(statuses).toEqual([...Array<number>(6).fill(400), 429]);
});
