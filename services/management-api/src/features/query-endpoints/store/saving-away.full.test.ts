import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startProxyTo } from '@millrace/testkit/tcp-proxy.ts';
import { claimLock } from '../../../materialization/claim-build.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// A saved version is said to be saved, whatever becomes of its table (contract/endpoints 6.1).
let api: TestApi;
let acme: Seed;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
});
afterAll(() => api?.stop());

interface Body extends Record<string, unknown> {
  materialization: Record<string, unknown>;
}

const send = (method: 'get' | 'post' | 'patch', path: string, body: object = {}) =>
  api.as(acme.key).send<Body>(method, `/api/projects/${acme.projectId}/endpoints${path}`).send(body);
const query = { kind: 'HogQLQuery', query: 'SELECT count() AS n FROM events' };
const ready = (name: string) =>
  eventually(
    async () => expect((await send('get', `/${name}/materialization_status`)).body).toMatchObject({ ready: true }),
    { deadlineMs: 20_000 },
  );

describe('while an engine is away', () => {
  test('create and PATCH say that they are saved, though Postgres gives out no build', async () => {
    await send('post', '', { name: 'changed', query });
    const locked = Promise.withResolvers<void>();
    const free = Promise.withResolvers<void>();
    const holding = api.prisma.$transaction(
      async (transaction) => {
        // The lock under which builds are claimed.
        await transaction.$executeRaw`SELECT pg_advisory_xact_lock(${claimLock})`;
        locked.resolve();
        await free.promise;
      },
      { timeout: 30_000 },
    );
    await locked.promise;
    const [made, changed] = await Promise.all([
      send('post', '', { name: 'no-claim', query, is_materialized: true }),
      send('patch', '/changed', { is_materialized: true }),
    ]);
    free.resolve();
    await holding;
    expect([made.status, changed.status]).toEqual([201, 200]);
    for (const { body } of [made, changed])
      expect(body.materialization).toMatchObject({ enabled: true, ready: false, status: 'Unknown' });
    await ready('changed');
    await ready('no-claim');
  });

  test('create and PATCH say that they are saved, and why no table is there, without ClickHouse', async () => {
    const { proxy, url } = await startProxyTo(api.clickhouse.url);
    const apart = await startTestApi({ CLICKHOUSE_URL: url });
    try {
      const seed = await apart.seed('Apart');
      const ask = (method: 'get' | 'post' | 'patch', path: string, body: object = {}) =>
        apart.as(seed.key).send<Body>(method, `/api/projects/${seed.projectId}/endpoints${path}`).send(body);
      await ask('post', '', { name: 'changed', query });
      proxy.state = 'closed';
      const made = await ask('post', '', { name: 'made', query, is_materialized: true });
      const changed = await ask('patch', '/changed', { is_materialized: true });
      expect([made.status, changed.status]).toEqual([201, 200]);
      for (const { body } of [made, changed])
        expect(body).toMatchObject({ is_materialized: false, materialization: { enabled: true, ready: false } });
      await eventually(
        async () =>
          expect((await ask('get', '/made/materialization_status')).body).toMatchObject({
            status: 'Failed',
            error: expect.stringMatching(/./),
          }),
        { deadlineMs: 30_000 },
      );
    } finally {
      await apart.stop();
      await proxy.close();
    }
  });
});
