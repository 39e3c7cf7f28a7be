import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// The document of a materialized endpoint says what its runs need, and runs hold to it (contract/endpoints 4.3, 8).
let api: TestApi;
let acme: Seed;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  await api.insertEvents([
    { team_id: acme.projectId, event: 'paid', timestamp: '2026-01-02 10:00:00.000000' },
    { team_id: acme.projectId, event: 'opened', timestamp: '2026-01-03 10:00:00.000000' },
  ]);
});
afterAll(() => api?.stop());

interface Schema extends Record<string, unknown> {
  properties: Record<string, Record<string, unknown>>;
  required?: string[];
}
interface Body extends Record<string, unknown> {
  paths: Record<string, { post: { description: string; requestBody: { required: boolean } } }>;
  components: { schemas: Record<string, Schema> };
  materialization: Record<string, unknown>;
}

const send = (method: 'get' | 'post' | 'patch', path: string, body?: object) => {
  const made = api.as(acme.key).send<Body>(method, `/api/projects/${acme.projectId}/endpoints${path}`);
  return body === undefined ? made : made.send(body);
};

const optional = (name: string): string => `(coalesce({variables.${name}}, '') = '' OR event = {variables.${name}})`;
const counted = `SELECT count() AS total FROM events
  WHERE timestamp >= {variables.from} AND timestamp < {variables.to} AND ${optional('event')}`;
const declared = {
  a: { code_name: 'from', type: 'Date', value: '2026-01-01' },
  b: { code_name: 'to', type: 'Date' },
  c: { code_name: 'event', type: 'String' },
};
const bounds = { from: '2026-01-01', to: '2026-02-01' };

async function create(name: string, query = counted, variables: object = declared): Promise<void> {
  const definition = { kind: 'HogQLQuery', query, variables };
  const { status, body } = await send('post', '', { name, query: definition, data_freshness_seconds: 3600 });
  expect([status, body]).toEqual([201, expect.anything()]);
}

/** Enables a version, and waits for its table: a busy machine may take longer than the request waits. */
async function enable(name: string, fields: object = {}): Promise<void> {
  expect((await send('patch', `/${name}`, { is_materialized: true, ...fields })).status).toBe(200);
  await eventually(async () =>
    expect((await send('get', `/${name}`)).body.materialization).toMatchObject({ ready: true }),
  );
}

/** The table of a version is gone, as when the version hibernates, and as before its first build. */
const takeTable = (name: string) =>
  api.prisma.materialization.updateMany({
    where: { endpoint: { name } },
    data: { tableName: null, layout: null, hibernatedAt: new Date(), nextBuildAt: null },
  });

const run = (name: string, variables: object) => send('post', `/${name}/run`, { variables, debug: true });

async function schemasOf(
  name: string,
): Promise<Record<'Variables' | 'EndpointRunRequest' | 'EndpointRunResult', Schema>> {
  const { status, body } = await send('get', `/${name}/openapi.json`);
  expect(status).toBe(200);
  return body.components.schemas;
}

describe('the document of a materialized version', () => {
  test('demands each variable without a default, and says which bounds the table answers', async () => {
    await create('bounds');
    const before = await schemasOf('bounds');
    expect(before.Variables.required).toEqual(['to', 'event']);
    expect(before.Variables.properties['from']).toEqual({ type: 'string', format: 'date', example: '2026-01-01' });
    await enable('bounds', { bucket_overrides: { timestamp: 'hour' } });
    const { Variables, EndpointRunRequest } = await schemasOf('bounds');
    expect(Variables.required).toEqual(['from', 'to']);
    expect(EndpointRunRequest.required).toEqual(['variables']);
    expect(before.EndpointRunRequest.properties['refresh']?.['description']).toContain('direct is for materialized');
    expect(EndpointRunRequest.properties['refresh']?.['description']).toContain('direct: now, of the events');
    for (const name of ['from', 'to'])
      expect(Variables.properties[name]).toEqual({
        type: 'string',
        format: 'date',
        description: expect.stringMatching(/timestamp.*toStartOfHour/),
      });
    expect(Variables.properties['event']).toEqual({ type: 'string', example: '' });
  });

  test('says how old rows may be, and has the fields of a run that reads the table', async () => {
    await create('fields');
    const before = await schemasOf('fields');
    expect(before.EndpointRunResult.properties).not.toHaveProperty('endpoint_materialized');
    expect(before.EndpointRunResult.properties['age_seconds']?.['description']).toContain('3600');
    await enable('fields');
    const { body } = await send('get', '/fields/openapi.json');
    const [operation] = Object.values(body.paths);
    expect(operation?.post.description).toMatch(/table.*3600 s/s);
    const { properties } = body.components.schemas['EndpointRunResult'] as Schema;
    const ran = (await run('fields', bounds)).body;
    expect(ran).toMatchObject({ path: 'materialized', endpoint_materialized: true, results: [[2]] });
    for (const field of ['age_seconds', 'last_refresh', 'cache_target_age', 'path'])
      expect([field, properties[field], ran[field]]).toEqual([field, expect.anything(), expect.anything()]);
    for (const field of Object.keys(ran).filter(
      (name) => name.startsWith('endpoint_materialized') || name === 'endpoint_buckets',
    ))
      expect([field, properties[field]]).toEqual([field, expect.objectContaining({ description: expect.any(String) })]);
  });

  test('is the same while there is no table', async () => {
    await create('same');
    await enable('same');
    const { body: before } = await send('get', '/same/openapi.json');
    await takeTable('same');
    expect((await send('get', '/same/openapi.json')).body).toEqual(before);
  });
});

describe('a variable that an empty text switches off', () => {
  test('is named by the preview', async () => {
    await create('named');
    expect((await send('post', '/named/materialization_preview')).body).toMatchObject({
      optional_variables: ['event'],
    });
  });

  test('may be left out while the version hibernates, and such a run wakes it', async () => {
    await create('left-out');
    await enable('left-out');
    await takeTable('left-out');
    await eventually(async () =>
      expect((await run('left-out', bounds)).body).toMatchObject({ path: 'inline', results: [[2]] }),
    );
    await eventually(async () =>
      expect((await send('get', '/left-out')).body.materialization).toMatchObject({ hibernated: false }),
    );
  });
});

test('a variable that may be left out keeps its default: materialization changes the rows of no run', async () => {
  await create('default', counted, { ...declared, c: { ...declared.c, value: 'opened' } });
  const runs = [bounds, { ...bounds, event: null }, { ...bounds, event: '' }, { ...bounds, event: 'paid' }];
  const results = async () => {
    const bodies = [];
    for (const each of runs) bodies.push((await run('default', each)).body);
    return bodies.map((body) => [body['path'], body['results']]);
  };
  expect(await results()).toEqual([1, 2, 2, 1].map((total) => ['inline', [[total]]]));
  await enable('default');
  await eventually(async () =>
    expect(await results()).toEqual([1, 2, 2, 1].map((total) => ['materialized', [[total]]])),
  );
});

test('the document of all routes describes the fields of materialization', async () => {
  const { body } = await api.as(acme.key).send<Body>('get', '/api/schema');
  const { schemas } = body.components;
  for (const [schema, fields] of [
    ['EndpointCreate', ['is_materialized', 'bucket_overrides']],
    ['EndpointUpdate', ['is_materialized', 'bucket_overrides']],
    ['Endpoint', ['is_materialized', 'bucket_overrides']],
    ['UpdatedEndpoint', ['materialization_error']],
    [
      'MaterializationStatus',
      [
        'enabled',
        'ready',
        'status',
        'can_materialize',
        'reason',
        'last_materialized_at',
        'error',
        'saved_query_id',
        'hibernated',
      ],
    ],
    ['EndpointRunResult', ['endpoint_materialized', 'endpoint_materialized_at', 'endpoint_buckets', 'path']],
    ['MaterializationPreview', ['optional_variables']],
  ] as const)
    for (const field of fields)
      expect([schema, field, schemas[schema]?.properties[field]]).toEqual([
        schema,
        field,
        expect.objectContaining({ description: expect.any(String) }),
      ]);
});
