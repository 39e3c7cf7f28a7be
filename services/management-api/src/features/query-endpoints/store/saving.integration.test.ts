import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// Create and PATCH say what became of the request, whatever becomes of the table (contract/endpoints 3, 6.1).
let api: TestApi;
let acme: Seed;
let created = 0;

beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  await api.insertEvents([{ team_id: acme.projectId, event: 'paid' }]);
});
afterAll(() => api?.stop());

interface Body extends Record<string, unknown> {
  name: string;
  id: string;
  current_version_id: string;
  materialization: Record<string, unknown>;
}

const send = (method: 'get' | 'post' | 'patch' | 'delete', path: string, body: object = {}, seed = acme) =>
  api.as(seed.key).send<Body>(method, `/api/projects/${seed.projectId}/endpoints${path}`).send(body);
const queryOf = (query: string) => ({
  kind: 'HogQLQuery',
  query,
  variables: { event: { code_name: 'event', value: 'paid' } },
});
const storable = 'SELECT count() AS n FROM events WHERE event = {variables.event}';
const refused = 'SELECT count() AS n FROM events WHERE event != {variables.event}';
/** Too long to be planned within a reply. */
const large = `SELECT ${Array.from({ length: 900 }, (_, at) => `event AS e${at}`).join(', ')} FROM events WHERE event = {variables.event}`;

async function create(fields: object = {}, seed = acme): Promise<Body> {
  const { status, body } = await send(
    'post',
    '',
    { name: `saved-${++created}`, query: queryOf(storable), is_materialized: true, ...fields },
    seed,
  );
  expect([status, body]).toEqual([201, body]);
  return body;
}

const rowOf = (name: string) =>
  api.prisma.materialization.findFirst({ where: { endpoint: { name, projectId: acme.projectId } } });
const ready = (name: string) =>
  eventually(
    async () => expect((await send('get', `/${name}/materialization_status`)).body).toMatchObject({ ready: true }),
    { deadlineMs: 20_000 },
  );
/** As if another process built it, and went on. */
const heldBuild = (name: string) =>
  api.prisma
    .$executeRaw`UPDATE materializations m SET table_name = NULL, layout = NULL, status = 'Running', claimed_by = 'another',
      claimed_until = now() + interval '60 seconds'
    FROM endpoints e WHERE e.id = m.endpoint_id AND e.name = ${name}`;

describe('what is saved is said to be saved', () => {
  test('60 creates at once are 60 × 201, and their list is a list', async () => {
    const many = await api.seed('Many');
    const made = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        send('post', '', { name: `many-${at}`, query: queryOf(at % 2 === 0 ? storable : refused) }, many),
      ),
    );
    expect(made.map(({ status }) => status)).toEqual(made.map(() => 201));
    for (const [at, { body }] of made.entries())
      expect(body.materialization).toMatchObject({ can_materialize: at % 2 === 0 });
    expect((await send('get', '?limit=100', {}, many)).body).toMatchObject({ count: 60 });
  });

  test('a reply waits for no plan of a large query; a later one has it', async () => {
    const { name } = await create({ query: queryOf(large), is_materialized: false });
    await eventually(
      async () =>
        expect((await send('get', `/${name}`)).body.materialization).toMatchObject({
          can_materialize: true,
          reason: null,
        }),
      { deadlineMs: 30_000 },
    );
    const gone = await send('patch', `/${name}`, { deleted: true });
    expect([gone.status, gone.body]).toMatchObject([200, { success: true }]);
  });
});

describe('two changes at once', () => {
  test('never materialize a query that a rule refuses', async () => {
    for (let round = 0; round < 15; round += 1) {
      const { name } = await create({ is_materialized: false });
      const [query, on] = await Promise.all([
        send('patch', `/${name}`, { query: queryOf(refused) }),
        send('patch', `/${name}`, { is_materialized: true }),
      ]);
      expect(query.status).toBe(200);
      const { body } = await send('get', `/${name}`);
      expect(body).toMatchObject({ current_version: 2, materialization: { enabled: false, can_materialize: false } });
      // Either came first: the table of version 1, whose successor is none; or a 400.
      expect([
        [200, 1],
        [400, 0],
      ]).toContainEqual([on.status, (await rowOf(name)) === null ? 0 : 1]);
      if (on.status === 200) expect(query.body).toMatchObject({ materialization_error: expect.stringContaining('!=') });
    }
  });
});

describe('a version that is named', () => {
  test('has its own table, and its own reasons', async () => {
    const { name } = await create({ is_materialized: false });
    expect((await send('patch', `/${name}`, { query: queryOf(refused) })).body).toMatchObject({ current_version: 2 });
    const current = await send('patch', `/${name}`, { is_materialized: true });
    expect([current.status, current.body]).toMatchObject([400, { attr: 'is_materialized' }]);
    const first = await send('patch', `/${name}`, { version: 1, is_materialized: true });
    expect([first.status, first.body]).toMatchObject([
      200,
      { version: 1, current_version: 2, materialization: { enabled: true } },
    ]);
    expect((await send('get', `/${name}`)).body.materialization).toMatchObject({ enabled: false });
    expect((await send('patch', `/${name}?version=1`, { is_materialized: false })).body).toMatchObject({
      version: 1,
      materialization: { enabled: false },
    });
    expect(await rowOf(name)).toBeNull();
  });

  test('is not materialized while it or its endpoint is off', async () => {
    const { name } = await create({ is_materialized: false });
    await send('patch', `/${name}`, { version: 1, is_active: false });
    const version = await send('patch', `/${name}`, { is_materialized: true });
    expect([version.status, version.body]).toMatchObject([400, { attr: 'is_materialized' }]);
    expect(
      (await send('patch', `/${name}`, { version: 1, is_active: true, is_materialized: true })).body,
    ).toMatchObject({ materialization: { enabled: true } });
    await send('patch', `/${name}`, { is_active: false });
    expect(await rowOf(name)).toBeNull();
    const endpoint = await send('patch', `/${name}?version=1`, { is_materialized: true });
    expect([endpoint.status, endpoint.body]).toMatchObject([400, { attr: 'is_materialized' }]);
    // A new version is on, its endpoint is not.
    const next = await send('patch', `/${name}`, { query: queryOf(`${storable} AND 1`), is_materialized: true });
    expect([next.status, next.body]).toMatchObject([400, { attr: 'is_materialized' }]);
    expect((await send('patch', `/${name}`, { is_active: true, is_materialized: true })).body).toMatchObject({
      materialization: { enabled: true },
    });
  });

  test('that is switched off loses its table, and no other does', async () => {
    const { name } = await create();
    await send('patch', `/${name}`, { query: queryOf(`${storable} AND 1`) });
    await send('patch', `/${name}`, { version: 1, is_active: false });
    const rows = await api.prisma.materialization.findMany({
      where: { endpoint: { name } },
      include: { version: true },
    });
    expect(rows.map(({ version }) => version.version)).toEqual([2]);
    await send('patch', `/${name}`, { is_active: false });
    expect(await rowOf(name)).toBeNull();
  });
});

describe('while a build runs', () => {
  test('the status is Running', async () => {
    const { name } = await create();
    await ready(name);
    await heldBuild(name);
    expect((await send('get', `/${name}/materialization_status`)).body).toMatchObject({
      enabled: true,
      ready: false,
      status: 'Running',
    });
  });
});

test('is_materialized true makes the build of a version that failed or hibernates due, and no other', async () => {
  const { name } = await create();
  await ready(name);
  const again = async (): Promise<number> => {
    expect((await send('patch', `/${name}`, { is_materialized: true })).status).toBe(200);
    const [row] = await api.prisma.$queryRaw<{ builds: number }[]>`SELECT m.build_number AS builds
      FROM materializations m JOIN endpoints e ON e.id = m.endpoint_id WHERE e.name = ${name}`;
    return row?.builds ?? 0;
  };
  const before = await again();
  expect(await again()).toBe(before);
  await api.prisma
    .$executeRaw`UPDATE materializations m SET status = 'Failed', error = 'before', next_build_at = now() + interval '1 day'
    FROM endpoints e WHERE e.id = m.endpoint_id AND e.name = ${name}`;
  expect(await again()).toBe(before + 1);
  await ready(name);
  await api.prisma
    .$executeRaw`UPDATE materializations m SET status = 'Unknown', hibernated_at = now(), table_name = NULL, layout = NULL,
    next_build_at = NULL FROM endpoints e WHERE e.id = m.endpoint_id AND e.name = ${name}`;
  expect(await again()).toBe(before + 2);
  await ready(name);
});

describe('can_materialize', () => {
  test('is the same in the preview, the status and the endpoint: whether a rule refuses the query', async () => {
    for (const [query, canMaterialize] of [
      [storable, true],
      [refused, false],
    ] as const) {
      const { name } = await create({ query: queryOf(query), is_materialized: false });
      const { body: preview } = await send('post', `/${name}/materialization_preview`);
      const verdict = {
        can_materialize: canMaterialize,
        reason: canMaterialize ? null : expect.stringContaining('!='),
      };
      expect(preview).toMatchObject(verdict);
      const { body: status } = await send('get', `/${name}/materialization_status`);
      const { body: endpoint } = await send('get', `/${name}`);
      const { can_materialize, reason } = preview as unknown as Record<string, unknown>;
      expect([status, endpoint.materialization]).toMatchObject([
        { can_materialize, reason },
        { can_materialize, reason },
      ]);
    }
  });

  test('says nothing about freshness and server, of which the 400 does', async () => {
    const { name } = await create({ is_materialized: false });
    const unable = await api.startProcess({
      CLICKHOUSE_MATERIALIZER_PASSWORD: '',
      ENDPOINT_FRESHNESS_MIN_SECONDS: '0',
    });
    const path = `/api/projects/${acme.projectId}/endpoints/${name}`;
    const ask = (method: 'get' | 'patch', below: string, body: object) =>
      api
        .as(acme.key, unable)
        .send<Body>(method, path + below)
        .send(body);
    const { detail } = (await ask('patch', '', { is_materialized: true })).body as unknown as { detail: string };
    expect(detail).toMatch(/^Cannot materialize: this server/);
    await ask('patch', '', { data_freshness_seconds: 60 });
    for (const status of [
      await ask('get', '/materialization_status', {}),
      await send('get', `/${name}/materialization_status`),
    ])
      expect(status.body).toMatchObject({ can_materialize: true, reason: null });
    const short = await send('patch', `/${name}`, { is_materialized: true });
    expect(short.body).toMatchObject({ detail: expect.stringMatching(/^Cannot materialize: .*at least 900/) });
  });
});

test('a preview without bucket_overrides shows the buckets of the version; with null those without any', async () => {
  const { name } = await create({
    query: queryOf('SELECT count() AS n FROM events WHERE timestamp >= {variables.event}'),
    bucket_overrides: { timestamp: 'hour' },
  });
  const bucket = async (body: object) =>
    ((await send('post', `/${name}/materialization_preview`, body)).body['range_pairs'] as object[])[0];
  expect(await bucket({})).toMatchObject({ bucket_fn: 'toStartOfHour' });
  expect(await bucket({ bucket_overrides: null })).toMatchObject({ bucket_fn: 'toStartOfDay' });
});

test('a reply is of the endpoint that was changed, also when its name is another’s meanwhile', async () => {
  const { name, id } = await create({ is_materialized: false });
  await api.prisma.$executeRaw`UPDATE build_slots SET held_until = now()`;
  const version = await api.prisma.endpointVersion.findFirstOrThrow({ where: { endpointId: id } });
  // All places are taken, so the request waits.
  await api.prisma.$executeRaw`INSERT INTO build_slots (row_id, build_number, project_id, held_until)
    VALUES (${version.id}::uuid, 1, ${acme.projectId}, now() + interval '20 seconds')`;
  const waiting = send('patch', `/${name}`, { is_materialized: true });
  const replied = waiting.then((reply) => reply);
  await eventually(async () => expect(await rowOf(name)).not.toBeNull());
  await send('delete', `/${name}`);
  const other = await create({ name, is_materialized: false });
  const { status, body } = await replied;
  await api.prisma.$executeRaw`DELETE FROM build_slots WHERE row_id = ${version.id}::uuid`;
  expect(other.id).not.toBe(id);
  expect([status, body.id]).toEqual([200, id]);
});
