import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../../test/test-api.ts';

let api: TestApi;
let acme: Awaited<ReturnType<TestApi['seed']>>;
let base: string;

beforeAll(async () => {
  api = await startTestApi({ PUBLIC_URL: 'https://api.example.com/' });
  acme = await api.seed('Acme');
  base = `/api/projects/${acme.projectId}/endpoints`;
});
afterAll(() => api?.stop());

const query = { kind: 'HogQLQuery', query: 'SELECT event, count() AS total FROM events GROUP BY event' };
const send = (method: 'get' | 'post' | 'delete', path: string, body?: object) => {
  const made = api.as(acme.key).send(method, path);
  return body === undefined ? made : made.send(body);
};
const create = (body: object) => send('post', base, body);

test('every address in the answer opens', async () => {
  const { body } = await api
    .as(acme.key)
    .send<Record<'url' | 'endpoint_path' | 'ui_url', string>>('post', base)
    .send({ name: 'opens', query });
  const path = (url: string): string => new URL(url, 'https://api.example.com').pathname;
  expect((await send('get', path(body.url))).status).toBe(200);
  expect((await send('get', path(body.endpoint_path))).status).toBe(200);
  const page = await api.as(undefined).send('get', path(body.ui_url));
  expect(page.status).toBe(302);
  expect((await api.as(undefined).send('get', path(String(page.headers['location'])))).status).toBe(200);
});

describe('create', () => {
  test('answers the whole endpoint (spec 2)', async () => {
    const response = await create({
      name: 'Daily-events_1',
      query,
      tags: ['b', 'a', 'b'],
      description: null,
      is_active: null,
      derived_from_insight: 'abc',
    });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const id = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect([response.status, response.body]).toEqual([
      201,
      {
        id,
        name: 'Daily-events_1',
        description: '',
        query: { ...query, variables: null },
        is_active: true,
        data_freshness_seconds: 86_400,
        endpoint_path: `${base}/Daily-events_1/run`,
        url: `https://api.example.com${base}/Daily-events_1/run`,
        ui_url: `https://api.example.com/project/${acme.projectId}/endpoints/Daily-events_1`,
        created_at: time,
        updated_at: time,
        created_by: {
          id: acme.userId,
          uuid: id,
          distinct_id: id,
          first_name: 'Acme',
          last_name: '',
          email: acme.email,
          is_email_verified: null,
          hedgehog_config: null,
          role_at_organization: null,
        },
        is_materialized: false,
        current_version: 1,
        current_version_id: id,
        versions_count: 1,
        derived_from_insight: 'abc',
        last_executed_at: null,
        materialization: {
          name: 'Daily-events_1',
          enabled: false,
          ready: false,
          status: 'Unknown',
          can_materialize: true,
          reason: null,
          last_materialized_at: null,
          error: '',
          saved_query_id: null,
          hibernated: false,
          buckets_rebuilt: null,
          rows_read: null,
        },
        bucket_overrides: null,
        columns: [
          { name: 'event', type: 'string' },
          { name: 'total', type: 'integer' },
        ],
        tags: ['a', 'b'],
        optional_breakdown_properties: [],
      },
    ]);
  });

  test.each<[string, object, string | null, string]>([
    ['no name', { query }, 'name', 'required'],
    ['a null name', { name: null, query }, 'name', 'null'],
    ['an empty name', { name: '', query }, 'name', 'blank'],
    ['a name that starts with a digit', { name: '1a', query }, 'name', 'invalid_input'],
    ['a long name', { name: 'a'.repeat(129), query }, 'name', 'max_length'],
    ['a reserved name', { name: 'materialization_conditions', query }, 'name', 'invalid_input'],
    ['another reserved name', { name: 'last_execution_times', query }, 'name', 'invalid_input'],
    [
      'a reserved name in other letters, which leads to the same path',
      { name: 'Last_Execution_Times', query },
      'name',
      'invalid_input',
    ],
    ['no query', { name: 'x' }, 'query', 'required'],
    ['a null query', { name: 'x', query: null }, 'query', 'null'],
    ['an unknown kind', { name: 'x', query: { kind: 'SQL' } }, 'query', 'invalid_input'],
    ['a kind of later', { name: 'x', query: { kind: 'TrendsQuery', series: [] } }, 'query', 'invalid_input'],
    ['no SQL', { name: 'x', query: { kind: 'HogQLQuery' } }, 'query', 'invalid_input'],
    ['a syntax error', { name: 'x', query: { kind: 'HogQLQuery', query: 'SELEC 1' } }, 'query', 'invalid_input'],
    [
      'another statement',
      { name: 'x', query: { kind: 'HogQLQuery', query: 'DROP TABLE events' } },
      'query',
      'invalid_input',
    ],
    [
      'an unknown table',
      { name: 'x', query: { kind: 'HogQLQuery', query: 'SELECT 1 FROM system.users' } },
      'query',
      'invalid_input',
    ],
    [
      'an unknown column',
      { name: 'x', query: { kind: 'HogQLQuery', query: 'SELECT nope FROM events' } },
      'query',
      'invalid_input',
    ],
    [
      'an unknown function',
      { name: 'x', query: { kind: 'HogQLQuery', query: "SELECT file('/etc/passwd')" } },
      'query',
      'invalid_input',
    ],
    [
      'an undefined variable',
      { name: 'x', query: { kind: 'HogQLQuery', query: 'SELECT {variables.gone}' } },
      'query',
      'invalid_input',
    ],
    [
      'a placeholder without value',
      { name: 'x', query: { kind: 'HogQLQuery', query: 'SELECT {gone}' } },
      'query',
      'invalid_input',
    ],
    [
      'filters, which would be ignored',
      { name: 'x', query: { ...query, filters: { properties: [{ key: 'a' }] } } },
      'query',
      'invalid_input',
    ],
    ['an external connection', { name: 'x', query: { ...query, connectionId: 'c' } }, 'query', 'invalid_input'],
    [
      'materialization of what cannot be',
      {
        name: 'x',
        query: { kind: 'HogQLQuery', query: 'SELECT DISTINCT event FROM events ORDER BY timestamp' },
        is_materialized: true,
      },
      'is_materialized',
      'invalid_input',
    ],
    [
      'materialization of what is switched off',
      { name: 'x', query, is_materialized: true, is_active: false },
      'is_materialized',
      'invalid_input',
    ],
    [
      'a bucket of another size',
      { name: 'x', query, is_materialized: true, bucket_overrides: { timestamp: 'year' } },
      'bucket_overrides',
      'invalid_input',
    ],
    ['another freshness', { name: 'x', query, data_freshness_seconds: 60 }, 'data_freshness_seconds', 'invalid_choice'],
    [
      'breakdowns of SQL',
      { name: 'x', query, optional_breakdown_properties: ['a'] },
      'optional_breakdown_properties',
      'invalid_input',
    ],
    [
      'a long insight id',
      { name: 'x', query, derived_from_insight: 'a'.repeat(13) },
      'derived_from_insight',
      'max_length',
    ],
    ['an unknown field', { name: 'x', query, cache_age_seconds: 300 }, 'cache_age_seconds', 'invalid_input'],
    ['a NUL', { name: 'x', query, description: '\0' }, 'description', 'null_characters_not_allowed'],
  ])('%s is a 400 on its field, and nothing is made', async (_name, body, attr, code) => {
    const response = await create(body);
    expect([response.status, response.body]).toEqual([
      400,
      { type: 'validation_error', code, attr, detail: expect.any(String) },
    ]);
    expect((await send('get', `${base}/x`)).status).toBe(404);
  });

  test('the error of a query has its place and the nearest name', async () => {
    const response = await create({ name: 'x', query: { kind: 'HogQLQuery', query: 'SELECT\n  evnt FROM events' } });
    expect(response.body.detail).toMatch(/evnt.*event.*line 2, column 3/s);
  });

  test('unused declarations are dropped, used ones keep their id', async () => {
    const variables = { id1: { code_name: 'a', value: 1 }, id2: { code_name: 'b' } };
    const response = await create({
      name: 'declared',
      query: { kind: 'HogQLQuery', query: 'SELECT {variables.a}', variables, name: null },
    });
    expect(response.body.query).toEqual({
      kind: 'HogQLQuery',
      query: 'SELECT {variables.a}',
      variables: { id1: { variableId: 'id1', code_name: 'a', value: 1 } },
    });
  });

  // A program of the product's declares variables without a type.
  test.each<[string, Record<string, unknown>, string]>([
    ['SELECT count() AS c FROM events WHERE timestamp > {variables.a}', { a: '2026-01-01' }, 'c integer'],
    [
      'SELECT dateTrunc({variables.unit}, timestamp) AS t, event FROM events WHERE timestamp >= {variables.since}',
      { unit: 'week', since: '2026-01-01' },
      't datetime, event string',
    ],
    ['SELECT event FROM events LIMIT {variables.n}', { n: 3 }, 'event string'],
    ['SELECT count() AS c FROM events WHERE has({variables.names}, event)', { names: ['a'] }, 'c integer'],
    [
      'SELECT event FROM events WHERE event = {variables.a} AND distinct_id = {variables.b} AND properties.plan = {variables.c} LIMIT {variables.n}',
      { a: 'a', b: 'b', c: 'c', n: 3 },
      'event string',
    ],
    [`SELECT event FROM events -- ${'long '.repeat(2_000)}\nLIMIT {variables.n}`, { n: 3 }, 'event string'],
    [
      "SELECT sequenceMatch({variables.p})(timestamp, event = 'a', event = 'b') AS m FROM events",
      { p: '(?1)(?2)' },
      '',
    ],
  ])('columns are known, and it runs, whatever values its variables will need: %#', async (sql, values, columns) => {
    const variables = Object.fromEntries(Object.keys(values).map((name) => [name, { code_name: name }]));
    const name = `fit-${crypto.randomUUID()}`;
    const { status, body } = await create({ name, query: { kind: 'HogQLQuery', query: sql, variables } });
    const found = (body as unknown as { columns?: { name: string; type: string }[] }).columns;
    expect([status, found?.map((column) => `${column.name} ${column.type}`).join(', ')]).toEqual([201, columns]);
    expect((await send('post', `${base}/${name}/run`, { variables: values })).status).toBe(200);
  });

  test('a name is taken once, also by requests at the same moment', async () => {
    const responses = await Promise.all(Array.from({ length: 5 }, () => create({ name: 'raced', query })));
    expect(responses.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
    expect(responses.find(({ status }) => status === 400)?.body).toMatchObject({ attr: 'name', code: 'unique' });
  });

  test('a name is as long as it may be; what means something for a change only means nothing', async () => {
    const name = 'a'.repeat(128);
    const { status, body } = await create({
      name,
      query,
      version: 7,
      deleted: true,
      bucket_overrides: {},
      optional_breakdown_properties: [],
      tags: null,
      data_freshness_seconds: null,
      is_materialized: false,
    });
    expect([status, body]).toEqual([
      201,
      expect.objectContaining({ name, current_version: 1, tags: [], data_freshness_seconds: 86_400 }),
    ]);
    expect((await send('get', `${base}/${name}`)).status).toBe(200);
  });

  test('names differ by case', async () => {
    expect([(await create({ name: 'Case', query })).status, (await create({ name: 'case', query })).status]).toEqual([
      201, 201,
    ]);
  });
});

describe('retrieve', () => {
  test('the endpoint, or one version of it with its own fields', async () => {
    const { body: created } = await create({ name: 'shown', query });
    expect((await send('get', `${base}/shown/`)).body).toEqual(created);
    const version = await send('get', `${base}/shown?version=1`);
    expect(version.body).toEqual({
      ...created,
      version: 1,
      version_id: created.current_version_id,
      endpoint_is_active: true,
      version_created_at: expect.any(String),
      version_updated_at: null,
      version_created_by: created.created_by,
    });
  });

  test('versions that are not there, and that are no versions', async () => {
    await create({ name: 'versioned', query });
    const unknown = await send('get', `${base}/versioned?version=2`);
    expect([unknown.status, unknown.body]).toEqual([
      404,
      expect.objectContaining({ error: expect.stringContaining('2'), code: 'not_found' }),
    ]);
    const bad = await send('get', `${base}/versioned?version=x`);
    expect([bad.status, bad.body.attr]).toEqual([400, 'version']);
  });
});

describe('list', () => {
  test('newest first, in pages, by filters that end in a total order', async () => {
    const other = await api.seed('Listed');
    const path = `/api/projects/${other.projectId}/endpoints`;
    const as = api.as(other.key);
    for (const name of ['a', 'b', 'c']) await as.send('post', path).send({ name, query, is_active: name !== 'b' });
    const names = async (params: string) => (await as.send('get', `${path}${params}`)).body;
    expect(await names('/?limit=2')).toMatchObject({
      count: 3,
      next: `https://api.example.com${path}/?limit=2&offset=2`,
      previous: null,
      results: [{ name: 'c' }, { name: 'b' }],
    });
    expect(await names('?limit=2&offset=2&zzz=1')).toMatchObject({
      next: null,
      previous: `https://api.example.com${path}?limit=2&zzz=1`,
      results: [{ name: 'a' }],
    });
    expect(await names('?is_active=false')).toMatchObject({ count: 1, results: [{ name: 'b' }] });
    expect(await names(`?created_by=${other.userId}`)).toMatchObject({ count: 3 });
    expect(await names('?created_by=1999999999')).toMatchObject({ count: 0, results: [] });
    expect(await names('?limit=0&offset=-5')).toMatchObject({ count: 3 });
    expect(await names('?is_active=maybe')).toMatchObject({ code: 'invalid_input', attr: 'is_active' });
  });
});

describe('delete', () => {
  test('hides the endpoint everywhere, once, and frees its name', async () => {
    const { body: first } = await create({ name: 'gone', query });
    const deleted = await send('delete', `${base}/gone/`);
    expect([deleted.status, deleted.text]).toEqual([204, '']);
    for (const [method, path] of [
      ['get', '/gone'],
      ['delete', '/gone'],
      ['post', '/gone/run'],
      ['get', '/gone/run'],
    ] as const) {
      const response = await send(method, base + path);
      expect([response.status, response.body.code]).toEqual([404, 'not_found']);
    }
    expect((await send('get', base)).body.results).not.toContainEqual(expect.objectContaining({ name: 'gone' }));
    const { body: second } = await create({ name: 'gone', query });
    expect(second).toMatchObject({ current_version: 1, id: expect.not.stringMatching(first.id) });
    expect(
      (await api.as(acme.key).send('patch', `${base}/gone`).send({ description: 'of the second' })).body,
    ).toMatchObject({ id: second.id, description: 'of the second' });
  });
});

describe('an endpoint that is switched off', () => {
  test('can be read, not run', async () => {
    await create({ name: 'off', query, is_active: false });
    expect((await send('get', `${base}/off`)).body.is_active).toBe(false);
    expect((await send('post', `${base}/off/run`, { unknown: 1 })).status).toBe(404);
  });
});
