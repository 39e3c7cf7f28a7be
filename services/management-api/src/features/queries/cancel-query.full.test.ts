import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { postgresRoles } from '@millrace/postgres/role-passwords.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { ManagementApi } from '../../app.ts';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';

let api: TestApi;
let second: ManagementApi;
let acme: Seed;
let other: Seed;
let named = 0;

beforeAll(async () => {
  api = await startTestApi({ QUERY_SECONDS_MAX: '60', QUERY_THREADS_MAX: '1' });
  // The second has no more rights than it has in production.
  const url = new URL(api.databaseUrl);
  url.searchParams.set('options', `-c role=${postgresRoles.management}`);
  second = await api.startProcess({ DATABASE_URL: url.href });
  [acme, other] = [await api.seed('Acme'), await api.seed('Other')];
});
afterAll(() => api?.stop());
afterEach(() => expectRunning(0));

// Each is a statement of its own, so that none joins another. The engine looks whether it is still wanted between blocks of
// rows, of which this has some every second. They are small, so that two queries fit into the memory of a user.
const slow = () =>
  `SELECT sum(length(arrayFilter(x -> sipHash64(sipHash64(sipHash64(x, number))) % 900007 = ${named++}, range(60)))) FROM numbers(10000000)`;
const pathOf = (seed: Seed) => `/api/projects/${seed.projectId}`;
const query = (id: string, seed = acme, process = api.api) =>
  api
    .as(seed.key, process)
    .send('post', `${pathOf(seed)}/query`)
    .send({ query: { kind: 'HogQLQuery', query: slow() }, client_query_id: id });
const cancel = (id: string, seed = acme, process = api.api, key = seed.key) =>
  api.as(key, process).send('delete', `${pathOf(seed)}/query/${encodeURIComponent(id)}`);

async function runningQueries(): Promise<number> {
  const { url, admin } = api.clickhouse;
  const sql = "SELECT count() FROM system.processes WHERE user = 'tenant' AND query LIKE '%900007%'";
  const response = await fetch(`${url}/?query=${encodeURIComponent(sql)}`, {
    headers: { authorization: `Basic ${btoa(`${admin.username}:${admin.password}`)}` },
  });
  return Number(await response.text());
}
const expectRunning = (count: number) => eventually(async () => expect(await runningQueries()).toBe(count));
const cancelled = [400, { type: 'validation_error', code: 'query_cancelled', attr: null, detail: expect.any(String) }];

describe('a query that its caller named can be cancelled by that name', () => {
  test.each([
    ['in the same process', () => api.api],
    ['through another process', () => second],
    ['also where editors read the schema', () => api.api, 'schema'],
  ])('%s, and is over in ClickHouse too', async (_name, process, id = `q ${named}/ü`) => {
    const running = query(id).then((reply) => reply);
    await expectRunning(1);
    expect((await cancel(id, acme, process())).status).toBe(204);
    const { status, body } = await running;
    expect([status, body]).toEqual(cancelled);
    await expectRunning(0);
  });

  test('not by another project, another user, or another name', async () => {
    const running = query('mine').then((result) => result);
    let isOver = false;
    void running.then(() => (isOver = true));
    await expectRunning(1);
    const { organizationId } = acme;
    const email = `second-${named}@example.com`;
    await api.admin.createUser({ organizationId, email, firstName: 'Second', level: 15 });
    const colleague = { ...acme, key: (await api.admin.createKey({ email, scopes: ['*'] })).key };
    const sibling = {
      ...acme,
      projectId: (await api.admin.createProject({ organizationId, name: 'Sibling' })).projectId,
    };
    // Their own query of the same name ends, so the cancelling has arrived.
    for (const [theirs, process] of [
      [sibling, second],
      [colleague, api.api],
    ] as const) {
      const ending = query('mine', theirs).then((result) => result);
      await expectRunning(2);
      expect((await cancel('mine', theirs, process)).status).toBe(204);
      expect((await ending).status).toBe(400);
      await api.as(acme.key).send('get', pathOf(acme));
      expect(isOver).toBe(false);
      await expectRunning(1);
    }
    expect((await cancel('mine', other)).status).toBe(204);
    expect((await cancel('mine', acme, api.api, other.key)).status).toBe(403);
    expect((await cancel('yours')).status).toBe(204);
    expect((await cancel('mine')).status).toBe(204);
    expect((await running).body).toMatchObject({ code: 'query_cancelled' });
  });

  test('all that run under it are meant; what begins later is another query', async () => {
    const running = Promise.all([query('both'), query('both', acme, second)]);
    await expectRunning(2);
    expect((await cancel('both')).status).toBe(204);
    expect((await running).map(({ status }) => status)).toEqual([400, 400]);
    expect(
      (
        await api
          .as(acme.key)
          .send('post', `${pathOf(acme)}/query`)
          .send({ query: { kind: 'HogQLQuery', query: 'SELECT 1' }, client_query_id: 'both' })
      ).status,
    ).toBe(200);
  });

  test('a stream too, that has not begun', async () => {
    const base = `${pathOf(acme)}/endpoints`;
    await api
      .as(acme.key)
      .send('post', base)
      .send({ name: 'slow-stream', query: { kind: 'HogQLQuery', query: slow() } });
    const running = api
      .as(acme.key)
      .send('post', `${base}/slow-stream/run?format=csv`)
      .send({ client_query_id: 'streamed' })
      .then((response) => response);
    await expectRunning(1);
    expect((await cancel('streamed', acme, second)).status).toBe(204);
    const { status, body } = await running;
    expect([status, body]).toEqual(cancelled);
  });

  test('runs of endpoints that share one computation: a cancelled run leaves alone, and the last one ends it', async () => {
    const base = `${pathOf(acme)}/endpoints`;
    await api
      .as(acme.key)
      .send('post', base)
      .send({ name: 'slow', query: { kind: 'HogQLQuery', query: slow() } });
    const run = (id: string) =>
      api
        .as(acme.key)
        .send('post', `${base}/slow/run`)
        .send({ client_query_id: id })
        .then((response) => response);
    const first = run('first');
    await expectRunning(1);
    const later = run('later');
    // Requests after it, also to Postgres, are served when it has joined.
    for (let time = 0; time < 2; time++) await api.as(acme.key).send('get', `${base}/slow`);
    await expectRunning(1);
    let isOver = false;
    void later.then(() => (isOver = true));
    await cancel('first');
    expect((await first).body).toMatchObject({ code: 'query_cancelled' });
    expect([isOver, await runningQueries()]).toEqual([false, 1]);
    await cancel('later', acme, second);
    expect((await later).body).toMatchObject({ code: 'query_cancelled' });
  });
});
