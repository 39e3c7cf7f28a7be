import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// Runs of a table have the same replies, headers and limits as runs of the query (contract/endpoints 4.7, 4.9, 6.5).
let api: TestApi;
let acme: Seed;
let made = 0;
const deadline = { deadlineMs: 20_000 };

beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  await insert('paid', '2026-01-02', 2);
  await insert('paid', '2026-01-03', 1);
});
afterAll(() => api?.stop());

const insert = (event: string, day: string, count: number) =>
  api.insertEvents(
    Array.from({ length: count }, () => ({ team_id: acme.projectId, event, timestamp: `${day} 10:00:00.000000` })),
  );

interface Body extends Record<string, unknown> {
  results: unknown[][];
  value: string;
  path: string;
}

const send = (method: 'get' | 'post', path: string, body?: object, key = acme.key) => {
  const sending = api.as(key).send<Body>(method, `/api/projects/${acme.projectId}/endpoints${path}`);
  return body === undefined ? sending : sending.send(body);
};
const variables = { event: 'paid' };
const run = (name: string, body: object = {}) => send('post', `/${name}/run`, { variables, debug: true, ...body });

const byDay =
  'SELECT toDate(timestamp) AS day, count() AS total FROM events WHERE event = {variables.event} GROUP BY day ORDER BY day';
const paid = [
  ['2026-01-02', 2],
  ['2026-01-03', 1],
];

/** An endpoint whose table answers its runs. */
async function create(query = byDay): Promise<string> {
  const name = `stored-${++made}`;
  const definition = { kind: 'HogQLQuery', query, variables: { event: { code_name: 'event' } } };
  const { status, body } = await send('post', '', { name, query: definition, is_materialized: true });
  expect([status, body]).toEqual([201, body]);
  await untilReady(name);
  return name;
}

const untilReady = (name: string) =>
  eventually(async () => {
    expect((await send('get', `/${name}/materialization_status`)).body).toMatchObject({ ready: true });
    expect((await run(name)).body).toMatchObject({ path: 'materialized' });
  }, deadline);

const logOf = async (name: string): Promise<unknown> => (await send('get', `/${name}/logs`)).body.results[0];

async function dropTable(name: string): Promise<void> {
  const { tableName } = await api.prisma.materialization.findFirstOrThrow({ where: { endpoint: { name } } });
  const { url, materializer } = api.clickhouse;
  const response = await fetch(`${url}/?query=${encodeURIComponent(`DROP VIEW materialized.${String(tableName)}`)}`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${materializer.username}:${materializer.password}`)}` },
  });
  expect(response.status).toBe(200);
}

test('a run whose table has no row for it is answered by the query, each time', async () => {
  const name = await create('SELECT uniq(distinct_id) AS people FROM events WHERE event = {variables.event}');
  for (let time = 0; time < 100; time++) {
    const { status, body } = await run(name, { variables: { event: 'never' }, refresh: 'force' });
    expect([status, body]).toMatchObject([200, { results: [[0]], path: 'inline' }]);
  }
});

test('a cached result of a table is as old as the table, and is the same to caches', async () => {
  const name = await create();
  const get = (etag = '') => send('get', `/${name}/run?event=paid&limit=2`).set('if-none-match', etag);
  const [first, second] = [await get(), await get()];
  expect([first.body, second.body]).toMatchObject(
    [false, true].map((is_cached) => ({ is_cached, results: paid, endpoint_materialized: true })),
  );
  const builtMs = Date.parse(String(first.body['endpoint_materialized_at']));
  for (const { body, headers } of [first, second]) {
    expect(Date.parse(String(body['cache_target_age']))).toBe(builtMs + 86_400_000);
    expect(body['last_refresh']).toBe(body['endpoint_materialized_at']);
    expect(Number(body['age_seconds'])).toBeLessThanOrEqual((Date.now() - builtMs) / 1000);
    expect(headers['etag']).toBe(first.headers['etag']);
    expect(headers['cache-control']).toMatch(/^private, max-age=86[34]\d\d$/);
  }
  expect((await get(String(first.headers['etag']))).status).toBe(304);
});

test('after a build runs have the rows of the new table, and force does not bring those of the one before', async () => {
  const name = await create();
  const other = { variables: { event: 'renewed' } };
  expect((await run(name, other)).body).toMatchObject({ results: [], path: 'materialized' });
  await insert('renewed', '2026-01-04', 3);
  expect((await run(name, { ...other, refresh: 'force' })).body).toMatchObject({ results: [] });
  await api.prisma.materialization.updateMany({ where: { endpoint: { name } }, data: { nextBuildAt: new Date() } });
  const renewed = { results: [['2026-01-04', 3]], path: 'materialized' };
  await eventually(
    async () => expect((await run(name, { ...other, refresh: 'force' })).body).toMatchObject(renewed),
    deadline,
  );
  expect((await run(name, other)).body).toMatchObject(renewed);
});

test('a page of a run token is cut out of the rows of the table', async () => {
  const name = await create();
  const { value } = (await send('post', `/${name}/tokens`, { label: 'Page' })).body;
  const page = async () => (await send('post', `/${name}/run`, { variables, limit: 1, offset: 1 }, value)).body;
  for (const is_cached of [false, true])
    expect(await page()).toMatchObject({ results: [paid[1]], hasMore: false, endpoint_materialized: true, is_cached });
});

test('direct reads the events, and no cache keeps what it read; no run token may', async () => {
  const name = await create();
  const direct = await send('get', `/${name}/run?event=paid&debug=true&refresh=direct`);
  expect([direct.status, direct.body]).toMatchObject([200, { results: paid, path: 'inline' }]);
  expect(direct.headers['cache-control']).toBe('private, no-cache');
  for (const may_refresh of [false, true]) {
    const { value } = (await send('post', `/${name}/tokens`, { label: 'Page', may_refresh })).body;
    for (const sent of [
      send('post', `/${name}/run`, { variables, refresh: 'direct' }, value),
      send('get', `/${name}/run?event=paid&refresh=direct`, undefined, value),
    ]) {
      const { status, body } = await sent;
      expect([status, body]).toMatchObject([400, { attr: 'refresh' }]);
    }
    const force = await send('post', `/${name}/run`, { variables, refresh: 'force' }, value);
    expect([may_refresh, force.status]).toEqual([may_refresh, may_refresh ? 200 : 400]);
  }
});

test('a version that hibernates is woken by a run, which the query answers', async () => {
  const name = await create();
  await api.prisma.materialization.updateMany({
    where: { endpoint: { name } },
    data: { tableName: null, layout: null, status: 'Unknown', nextBuildAt: null, hibernatedAt: new Date() },
  });
  await eventually(async () => expect((await run(name)).body).toMatchObject({ results: paid, path: 'inline' }));
  await untilReady(name);
  expect((await send('get', `/${name}/materialization_status`)).body).toMatchObject({ hibernated: false });
});

test('a stream whose table is gone has the rows of the query, and the table is built again', async () => {
  const name = await create();
  await dropTable(name);
  const { text, headers } = await send('get', `/${name}/run?event=paid&format=csv`);
  expect([text, headers['x-age-seconds']]).toEqual(['"day","total"\n"2026-01-02",2\n"2026-01-03",1\n', '0']);
  await eventually(
    async () =>
      expect(await logOf(name)).toMatchObject({ message: expect.stringContaining('path=materialized_fallback') }),
    deadline,
  );
  await untilReady(name);
});

test('a table whose plan this release cannot read fails no run, and is built again', async () => {
  const name = await create();
  const { versionId, layout } = await api.prisma.materialization.findFirstOrThrow({ where: { endpoint: { name } } });
  const kept = JSON.parse(String(layout)) as { plan: object };
  await api.prisma.materialization.update({
    where: { versionId },
    data: { layout: JSON.stringify({ ...kept, plan: { ...kept.plan, read: 'SELEC 1' } }) },
  });
  // Another process has not prepared the table yet.
  const second = await api.startProcess();
  const path = `/api/projects/${acme.projectId}/endpoints/${name}/run`;
  const { body } = await api.as(acme.key, second).send('post', path).send({ variables, debug: true });
  expect(body).toMatchObject({ results: paid, path: 'materialized_fallback' });
  await untilReady(name);
});

test('a read that is too long for the event loop has the rows of the table too', async () => {
  const counts = Array.from({ length: 40 }, (_, at) => `countIf(event = '${'e'.repeat(200)}${at}')`);
  const name = await create(`SELECT count(), ${counts.join(', ')} FROM events WHERE event = {variables.event}`);
  const { body } = await run(name, { refresh: 'force' });
  expect(body).toMatchObject({ results: [[3, ...counts.map(() => 0)]], path: 'materialized' });
  expect(String(body['hogql']).length).toBeGreaterThan(8_192);
  const direct = await run(name, { refresh: 'direct' });
  expect([body['columns'], body.results]).toEqual([direct.body['columns'], direct.body.results]);
});
