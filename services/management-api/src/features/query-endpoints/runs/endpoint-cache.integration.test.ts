import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { postgresRoles } from '@millrace/postgres/role-passwords.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { ManagementApi } from '../../../app.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// Both processes cache the endpoints that they run. A change by either process or the command line applies in both within 1 s.
let api: TestApi;
let processes: ManagementApi[];
let seed: Seed;
let name: string;
let count = 0;
beforeAll(async () => {
  api = await startTestApi();
  // The second process has only the rights that it has in production.
  const url = new URL(api.databaseUrl);
  url.searchParams.set('options', `-c role=${postgresRoles.management}`);
  processes = [api.api, await api.startProcess({ DATABASE_URL: url.href })];
  seed = await api.seed('Known');
});
afterAll(() => api?.stop());

const everywhere = { deadlineMs: 1_000, intervalMs: 5 };
const base = (): string => `/api/projects/${seed.projectId}/endpoints`;
const query = (value: number) => ({ kind: 'HogQLQuery', query: `SELECT ${value} AS value` });

beforeEach(async () => {
  name = `known_${++count}`;
  expect(
    (
      await api
        .as(seed.key)
        .send('post', base())
        .send({ name, query: query(1) })
    ).status,
  ).toBe(201);
  for (let time = 0; time < 2; time++) expect(await answers()).toEqual([1, 1]);
});

/** The reply of each process: the value, or the status of the error. */
async function answers(body: object = {}, called = name): Promise<unknown[]> {
  const replies = await Promise.all(
    processes.map((one) =>
      api.as(seed.key, one).send<{ results: unknown[][] }>('post', `${base()}/${called}/run`).send(body),
    ),
  );
  return replies.map(({ status, body: { results } }) => (status === 200 ? results[0]?.[0] : status));
}

async function edit(body: object, path = name): Promise<void> {
  expect((await api.as(seed.key, processes[1]).send('patch', `${base()}/${path}`).send(body)).status).toBe(200);
}

describe('two processes run what is stored now', () => {
  test.each<[string, () => Promise<unknown>, unknown]>([
    ['a new version is made', () => edit({ query: query(2) }), 2],
    ['it is switched off', () => edit({ is_active: false }), 404],
    ['it is deleted', async () => await api.as(seed.key, processes[1]).send('delete', `${base()}/${name}`), 404],
    [
      'it is deleted past the API',
      () => api.prisma.endpoint.deleteMany({ where: { projectId: seed.projectId, name } }),
      404,
    ],
    [
      'its version is switched off past the API',
      () =>
        api.prisma.endpointVersion.updateMany({
          where: { endpoint: { projectId: seed.projectId, name } },
          data: { isActive: false },
        }),
      400,
    ],
    [
      'it is renamed past the API',
      () =>
        api.prisma.endpoint.updateMany({
          where: { projectId: seed.projectId, name },
          data: { name: `${name}_renamed` },
        }),
      404,
    ],
  ])('when %s', async (_what, change, expected) => {
    await change();
    await eventually(async () => expect(await answers()).toEqual([expected, expected]), everywhere);
  });

  test('the process that handles a change applies it before its reply', async () => {
    await edit({ query: query(2) });
    expect((await answers())[1]).toBe(2);
    expect((await answers({ version: 1 }))[1]).toBe(1);
    await edit({ is_active: false }, `${name}?version=1`);
    expect((await answers({ version: 1 }))[1]).toBe(400);
    await eventually(async () => expect(await answers({ version: 1 })).toEqual([400, 400]), everywhere);
  });

  test('a new name can be run at once', async () => {
    const late = `${name}_late`;
    expect(await answers({}, late)).toEqual([404, 404]);
    await api
      .as(seed.key, processes[1])
      .send('post', base())
      .send({ name: late, query: query(3) });
    expect(await answers({}, late)).toEqual([3, 3]);
  });

  test('a run of an endpoint is no change of it', async () => {
    const before = await api.prisma.change.count({ where: { topic: 'endpoint' } });
    await eventually(async () =>
      expect(
        (await api.prisma.endpoint.findFirst({ where: { projectId: seed.projectId, name } }))?.lastExecutedAt,
      ).not.toBeNull(),
    );
    expect(await api.prisma.change.count({ where: { topic: 'endpoint' } })).toBe(before);
  });

  // Only a change that the feed does not report shows whether an entry is cached.
  test('endpoints are cached while the change feed is caught up, and looked up when it is not', async () => {
    await api.prisma.$executeRaw`ALTER TABLE endpoints DISABLE TRIGGER endpoints_updated`;
    try {
      // Repeated, because the feed may be behind for a moment on a busy machine.
      await eventually(async () => {
        await api.prisma.endpoint.updateMany({ where: { projectId: seed.projectId, name }, data: { isActive: true } });
        expect(await answers()).toEqual([1, 1]);
        await api.prisma.endpoint.updateMany({ where: { projectId: seed.projectId, name }, data: { isActive: false } });
        expect(await answers()).toEqual([1, 1]);
      });
      await api.prisma
        .$queryRaw`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'management-api-changes' AND datname = current_database()`;
      await eventually(async () => expect(await answers()).toEqual([404, 404]), everywhere);
    } finally {
      await api.prisma.$executeRaw`ALTER TABLE endpoints ENABLE TRIGGER endpoints_updated`;
    }
  });
});
