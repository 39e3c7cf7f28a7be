import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { projectViewStatement } from '@millrace/clickhouse/users/project-view.ts';
import { tenantHeaders } from '@millrace/clickhouse/users/tenant-token.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { TableLayout } from '../../../materialization/build-request.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// A materialized endpoint gives the same answer, from a table, always (contract/endpoints 6).
let api: TestApi;
let acme: Seed;
let other: Seed;
let created = 0;
/** Moves the clock of the process that is asked. */
let aheadMs = 0;

beforeAll(async () => {
  api = await startTestApi({}, { clock: { nowMs: () => Date.now() + aheadMs } });
  [acme, other] = [await api.seed('Acme'), await api.seed('Other')];
  await insert(acme, ['paid', 'paid', 'opened'], '2026-01-02');
  await insert(acme, ['paid'], '2026-01-03');
  await insert(other, ['paid'], '2026-01-02');
  // The first build of a process may take longer than a request waits.
  const { name } = await create();
  await eventually(
    async () => expect((await send('get', `/${name}/materialization_status`)).body).toMatchObject({ ready: true }),
    { deadlineMs: 20_000 },
  );
});
afterAll(() => api?.stop());

const insert = (seed: Seed, events: readonly string[], day: string) =>
  api.insertEvents(
    events.map((event) => ({
      team_id: seed.projectId,
      event,
      timestamp: `${day} 10:00:00.000000`,
      properties: { plan: 'pro' },
    })),
  );

interface Body extends Record<string, unknown> {
  name: string;
  results: unknown[][];
  materialization: Record<string, unknown>;
}

const send = (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object, seed = acme) => {
  const made = api.as(seed.key).send<Body>(method, `/api/projects/${seed.projectId}/endpoints${path}`);
  return body === undefined ? made : made.send(body);
};

const byDay =
  'SELECT toDate(timestamp) AS day, count() AS total FROM events WHERE event = {variables.event} GROUP BY day ORDER BY day';

async function create(query = byDay, fields: object = {}, seed = acme): Promise<Body> {
  const definition = { kind: 'HogQLQuery', query, variables: { event: { code_name: 'event', value: 'paid' } } };
  const { status, body } = await send(
    'post',
    '',
    { name: `stored-${++created}`, query: definition, is_materialized: true, ...fields },
    seed,
  );
  expect([status, body]).toEqual([201, body]);
  return body;
}

const run = (name: string, body: object = {}, seed = acme) =>
  send('post', `/${name}/run`, { variables: { event: 'paid' }, debug: true, ...body }, seed);

const paid = [
  ['2026-01-02', 2],
  ['2026-01-03', 1],
];

describe('an endpoint that is made materialized', () => {
  test('has its table within the request, and says so everywhere', async () => {
    const body = await create();
    const completed = {
      enabled: true,
      ready: true,
      status: 'Completed',
      can_materialize: true,
      reason: null,
      error: '',
      hibernated: false,
      buckets_rebuilt: null,
      rows_read: expect.any(Number),
      last_materialized_at: expect.stringMatching(/Z$/),
      saved_query_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    };
    expect(body).toMatchObject({ is_materialized: true, materialization: { name: body.name, ...completed } });
    expect((await send('get', `/${body.name}`)).body).toMatchObject({ is_materialized: true });
    expect((await send('get', `/${body.name}/materialization_status`)).body).toMatchObject(completed);
    expect((await send('get', `/${body.name}/versions`)).body).toMatchObject({ results: [{ is_materialized: true }] });
  });

  test('answers from it, whatever comes in meanwhile; direct asks the events', async () => {
    const { name } = await create('SELECT count() AS total FROM events WHERE event = {variables.event}');
    await insert(acme, ['late'], '2026-01-05');
    const stored = await run(name, { variables: { event: 'late' } });
    expect([stored.status, stored.body]).toMatchObject([
      200,
      {
        results: [[0]],
        is_cached: false,
        endpoint_materialized: true,
        endpoint_materialized_at: expect.any(String),
        path: 'materialized',
        hogql: expect.stringContaining('sum('),
      },
    ]);
    expect(stored.body['last_refresh']).toBe(stored.body['endpoint_materialized_at']);
    const direct = await run(name, { variables: { event: 'late' }, refresh: 'direct' });
    expect(direct.body).toMatchObject({ results: [[1]], path: 'inline' });
    expect(direct.body).not.toHaveProperty('endpoint_materialized');
    expect((await run(name, { variables: { event: 'late' }, refresh: 'force' })).body).toMatchObject({
      results: [[0]],
      path: 'materialized',
    });
  });

  test('as rows, objects, CSV and NDJSON, in pages', async () => {
    const { name } = await create();
    expect((await run(name)).body).toMatchObject({ results: paid, path: 'materialized' });
    expect((await run(name, { limit: 1, offset: 1 })).body).toMatchObject({ results: [paid[1]], hasMore: false });
    expect((await send('get', `/${name}/run?event=paid&format=objects`)).body['results']).toEqual(
      paid.map(([day, total]) => ({ day, total })),
    );
    expect((await send('get', `/${name}/run?event=paid&format=csv`)).text).toBe(
      '"day","total"\n"2026-01-02",2\n"2026-01-03",1\n',
    );
    expect((await send('get', `/${name}/run?event=paid&format=ndjson`)).text).toBe(
      '{"day":"2026-01-02","total":2}\n{"day":"2026-01-03","total":1}\n',
    );
  });

  test('demands every variable, and takes null for none; its document says so', async () => {
    const { name } = await create();
    expect((await send('get', `/${name}/openapi.json`)).body).toMatchObject({
      components: { schemas: { Variables: { required: ['event'] }, EndpointRunRequest: { required: ['variables'] } } },
    });
    for (const variables of [{}, { event: null }]) {
      const { status, body } = await run(name, { variables });
      expect([status, body]).toMatchObject([400, { attr: 'variables', detail: expect.stringContaining('event') }]);
    }
  });

  test('a filter that an empty text switches off may be left out', async () => {
    const { name } = await create(
      "SELECT count() AS total FROM events WHERE timestamp < '2026-01-04' AND (coalesce({variables.event}, '') = '' OR event = {variables.event})",
    );
    expect((await run(name, { variables: { event: '' } })).body).toMatchObject({
      results: [[4]],
      path: 'materialized',
    });
    expect((await run(name, { variables: {} })).body).toMatchObject({ results: [[3]], path: 'materialized' });
    expect((await run(name)).body).toMatchObject({ results: [[3]], path: 'materialized' });
  });

  test('is refused, and nothing is made, for a query that cannot be', async () => {
    const definition = {
      kind: 'HogQLQuery',
      query: 'SELECT count() FROM events WHERE event != {variables.event}',
      variables: { event: { code_name: 'event', value: 'paid' } },
    };
    const name = 'refused';
    const { status, body } = await send('post', '', { name, query: definition, is_materialized: true });
    expect([status, body]).toMatchObject([
      400,
      { attr: 'is_materialized', detail: expect.stringMatching(/^Cannot materialize: .*!=/) },
    ]);
    expect((await send('get', `/${name}`)).status).toBe(404);
  });

  test('is refused with a freshness of less than 15 minutes', async () => {
    const changed = await send('patch', `/${(await create()).name}`, { data_freshness_seconds: 60 });
    expect(changed.status).toBe(400);
  });
});

describe('a table that does not answer', () => {
  test('beyond its freshness: the query runs, and the table is built again', async () => {
    const { name, materialization } = await create(undefined, { data_freshness_seconds: 900 });
    const builtAt = (status: Record<string, unknown>): number => Date.parse(String(status['last_materialized_at']));
    aheadMs = 901_000;
    try {
      expect((await run(name)).body).toMatchObject({ results: paid, path: 'inline' });
      await eventually(
        async () => {
          const { body } = await send('get', `/${name}/materialization_status`);
          expect(builtAt(body)).toBeGreaterThan(builtAt(materialization));
        },
        { deadlineMs: 20_000 },
      );
    } finally {
      aheadMs = 0;
    }
  });

  const sendBuilding = async (sql: string): Promise<void> => {
    const { url, materializer } = api.clickhouse;
    const response = await fetch(`${url}/?query=${encodeURIComponent(sql)}`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${materializer.username}:${materializer.password}`)}` },
    });
    expect(response.status).toBe(200);
  };

  test('that is gone: the query runs', async () => {
    const { name } = await create();
    const { tableName } = await api.prisma.materialization.findFirstOrThrow({ where: { endpoint: { name } } });
    await sendBuilding(`DROP VIEW materialized.${String(tableName)}`);
    expect((await run(name)).body).toMatchObject({ results: paid, path: 'materialized_fallback' });
    expect((await send('get', `/${name}/run?event=paid&format=csv`)).text).toContain('"2026-01-02",2');
  });

  test('of another token secret: the query runs, and the run makes a build due', async () => {
    const { name } = await create();
    const { tableName, layout } = await api.prisma.materialization.findFirstOrThrow({ where: { endpoint: { name } } });
    const { columns } = JSON.parse(String(layout)) as TableLayout;
    const table = {
      name: String(tableName),
      teamId: acme.projectId,
      columns: columns.map(({ column, type, isKey }) => ({ name: column, type, isKey })),
    };
    await sendBuilding(`DROP VIEW materialized.${table.name}`);
    await sendBuilding(projectViewStatement(table, tenantHeaders('the secret of before', acme.projectId)));
    expect((await run(name)).body).toMatchObject({ results: paid, path: 'materialized_fallback' });
    await eventually(
      async () => expect((await run(name)).body).toMatchObject({ results: paid, path: 'materialized' }),
      {
        deadlineMs: 20_000,
      },
    );
  });
});

describe('a change', () => {
  test('to true builds the table, to false leaves the query', async () => {
    const { name } = await create(undefined, { is_materialized: false });
    expect((await run(name)).body).toMatchObject({ path: 'inline' });
    expect((await run(name, { refresh: 'direct' })).status).toBe(400);
    const on = await send('patch', `/${name}`, { is_materialized: true });
    expect(on.body).toMatchObject({ is_materialized: true, materialization: { status: 'Completed' } });
    await eventually(async () => expect((await run(name)).body).toMatchObject({ results: paid, path: 'materialized' }));
    const off = await send('patch', `/${name}`, { is_materialized: false });
    expect(off.body).toMatchObject({
      is_materialized: false,
      materialization: { enabled: false, saved_query_id: null },
    });
    await eventually(async () => expect((await run(name, { variables: {} })).body).toMatchObject({ path: 'inline' }));
  });

  test('of the query makes a version that is materialized too, and the old one keeps its table', async () => {
    const { name } = await create();
    const query = {
      kind: 'HogQLQuery',
      query: byDay.replace('total', 'sum'),
      variables: { event: { code_name: 'event', value: 'paid' } },
    };
    expect((await send('patch', `/${name}`, { query })).body).toMatchObject({
      current_version: 2,
      is_materialized: true,
      materialization: { status: 'Completed' },
    });
    for (const version of [1, 2])
      expect((await run(name, { version })).body).toMatchObject({ path: 'materialized', results: paid });
  });

  test('to a query that cannot be materialized is made, and says so', async () => {
    const { name } = await create();
    const query = {
      kind: 'HogQLQuery',
      query: 'SELECT count() FROM events WHERE event != {variables.event}',
      variables: { event: { code_name: 'event', value: 'paid' } },
    };
    const { status, body } = await send('patch', `/${name}`, { query });
    expect([status, body]).toMatchObject([
      200,
      { current_version: 2, is_materialized: false, materialization_error: expect.stringContaining('!=') },
    ]);
  });

  test('of buckets builds anew', async () => {
    const { name } = await create('SELECT count() AS total FROM events WHERE timestamp >= {variables.event}');
    expect((await run(name, { variables: { event: '2026-01-03' } })).body).toMatchObject({
      endpoint_buckets: { timestamp: 'toStartOfDay' },
    });
    // A bound inside of a bucket is answered by the query itself (contract/endpoints 6.4).
    expect((await run(name, { variables: { event: '2026-01-03 10:00:00' } })).body).not.toHaveProperty(
      'endpoint_buckets',
    );
    const { body } = await send('patch', `/${name}`, { bucket_overrides: { timestamp: 'hour' } });
    expect(body).toMatchObject({ bucket_overrides: { timestamp: 'hour' }, materialization: { status: 'Completed' } });
    await eventually(async () =>
      expect((await run(name, { variables: { event: '2026-01-03 10:00:00' } })).body).toMatchObject({
        endpoint_buckets: { timestamp: 'toStartOfHour' },
      }),
    );
  });

  test('to inactive ends it, and to active does not bring it back', async () => {
    const { name } = await create();
    await send('patch', `/${name}`, { is_active: false });
    const { body } = await send('patch', `/${name}`, { is_active: true });
    expect(body).toMatchObject({ is_materialized: false, materialization: { enabled: false } });
  });
});

test('the logs and figures of runs name the path', async () => {
  const { name } = await create();
  await run(name);
  await run(name, { refresh: 'direct' });
  await eventually(
    async () => {
      const { body } = await send('get', `/${name}/logs`);
      expect(body.results).toMatchObject([
        { message: expect.stringContaining('path=inline') },
        { message: expect.stringContaining('path=materialized') },
      ]);
      const figures = { calls: 2, materialized_share: 0.5 };
      expect((await send('get', `/${name}/stats`)).body).toMatchObject({ ...figures, versions: [figures] });
    },
    { deadlineMs: 10_000 },
  );
});

test('a project never reads the table of another', async () => {
  const { name } = await create(undefined, { name: 'same-name' });
  await create(undefined, { name: 'same-name' }, other);
  expect((await run(name)).body.results).toEqual(paid);
  expect((await run(name, {}, other)).body).toMatchObject({ results: [['2026-01-02', 1]], path: 'materialized' });
});
