import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startTestApi, type Seed, type TestApi } from '../../test/test-api.ts';
import type { ReplyBody } from '../../test/test-request.ts';

let api: TestApi;
let acme: Seed;
let base: string;

beforeAll(async () => {
  api = await startTestApi({ PUBLIC_URL: 'https://api.example.com' });
  acme = await api.seed('Acme');
  base = `/api/projects/${acme.projectId}/endpoints`;
});
afterAll(() => api?.stop());

type Body = ReplyBody & {
  current_version: number;
  description: string;
  tags: string[];
  query_status: unknown;
  version_created_by: unknown;
  updated_at: string;
  data_freshness_seconds: number;
};
const hogql = (sql: string, more: object = {}) => ({ kind: 'HogQLQuery', query: sql, ...more });
const send = (method: 'get' | 'post' | 'patch' | 'put' | 'delete', path: string, body?: object) => {
  const made = api.as(acme.key).send<Body>(method, `${base}${path}`);
  return body === undefined ? made : made.send(body);
};
let made = 0;
async function create(body: object = {}): Promise<string> {
  const name = `u${made++}`;
  expect((await send('post', '', { name, query: hogql('SELECT 1 AS a'), ...body })).status).toBe(201);
  return name;
}
const patch = (name: string, body: object, query = '') => send('patch', `/${name}${query}`, body);

describe('what makes a version (contract/endpoints 3)', () => {
  test('a changed query: the next number, with what it inherits, and the caller as its author', async () => {
    const name = await create({ description: 'first', data_freshness_seconds: 900 });
    const { status, body } = await patch(name, { query: hogql('SELECT 2 AS b') });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        current_version: 2,
        versions_count: 2,
        description: 'first',
        data_freshness_seconds: 900,
        columns: [{ name: 'b', type: 'integer' }],
        is_active: true,
      }),
    ]);
    expect((await send('post', `/${name}/run`)).body).toMatchObject({ results: [[2]], endpoint_version: 2 });
    expect((await send('post', `/${name}/run`, { version: 1 })).body).toMatchObject({
      results: [[1]],
      endpoint_version: 1,
    });
  });

  test('belongs to the user who changes it, not to the maker of the endpoint', async () => {
    const { userId } = await api.admin.createUser({
      organizationId: acme.organizationId,
      email: 'second@example.com',
      firstName: 'Second',
      level: 1,
    });
    const { key } = await api.admin.createKey({ email: 'second@example.com', scopes: ['endpoint:write'] });
    const name = await create();
    await api
      .as(key)
      .send('patch', `${base}/${name}`)
      .send({ query: hogql('SELECT 2') });
    const { body } = await send('get', `/${name}?version=2`);
    expect([body.created_by, body.version_created_by]).toMatchObject([{ id: acme.userId }, { id: userId }]);
  });

  test('not the same query written otherwise', async () => {
    const variables = { v: { code_name: 'x', value: 1 } };
    const name = await create({ query: hogql('SELECT {variables.x}', { variables }) });
    const again = {
      variables: { v: { value: 1, code_name: 'x', variableId: 'v' }, unused: { code_name: 'y' } },
      values: null,
      query: 'SELECT {variables.x}',
      kind: 'HogQLQuery',
    };
    expect((await patch(name, { query: again })).body).toMatchObject({ current_version: 1, versions_count: 1 });
    const spelledOut = {
      ...again,
      variables: { v: { value: 1, code_name: 'x', type: null, isNull: null } },
      filters: null,
      connectionId: null,
    };
    expect((await patch(name, { query: spelledOut })).body).toMatchObject({ current_version: 1, versions_count: 1 });
  });

  test('a constant that becomes NULL', async () => {
    const name = await create({ query: hogql('SELECT {a}', { values: { a: 1 } }) });
    expect((await patch(name, { query: hogql('SELECT {a}', { values: { a: null } }) })).body.current_version).toBe(2);
  });

  test('nothing else: it changes the current version in place', async () => {
    const name = await create();
    const { body } = await patch(name, {
      description: 'told',
      data_freshness_seconds: 3600,
      tags: ['b', 'a', 'b'],
      derived_from_insight: 'ignored',
    });
    expect(body).toMatchObject({
      current_version: 1,
      description: 'told',
      data_freshness_seconds: 3600,
      tags: ['a', 'b'],
      derived_from_insight: null,
    });
    expect(
      (
        await patch(name, {
          description: null,
          data_freshness_seconds: null,
          tags: null,
          name: null,
          query: null,
          is_active: null,
          version: null,
        })
      ).body,
    ).toMatchObject({ description: 'told', data_freshness_seconds: 86_400, tags: ['a', 'b'], is_active: true });
    expect((await patch(name, { tags: [] })).body.tags).toEqual([]);
  });

  test('every change is visible in updated_at', async () => {
    const name = await create();
    const times = [(await send('get', `/${name}`)).body.updated_at];
    for (const change of [{ description: 'x' }, { tags: ['a'] }, { query: hogql('SELECT 2') }])
      times.push((await patch(name, change)).body.updated_at);
    expect(times).toEqual([...new Set(times)].sort());
  });

  test.each([900, 1_800, 3_600, 21_600, 43_200, 86_400, 604_800])('a freshness of %i s', async (seconds) => {
    expect((await patch(await create(), { data_freshness_seconds: seconds })).body.data_freshness_seconds).toBe(
      seconds,
    );
  });

  test('a freshness of less where the operator allows it', async () => {
    const allowing = await api.startProcess({ ENDPOINT_FRESHNESS_MIN_SECONDS: '10' });
    const save = async (seconds: number) => {
      const { status, body } = await api
        .as(acme.key, allowing)
        .send<Body>('post', base)
        .send({ name: `fresh${seconds}`, query: hogql('SELECT 1'), data_freshness_seconds: seconds });
      return [status, body.data_freshness_seconds ?? body.detail];
    };
    const refused = '"0" is not a valid choice. Choose one of: 10, 60, 900, 1800, 3600, 21600, 43200, 86400, 604800.';
    expect([await save(10), await save(60), await save(0)]).toEqual([
      [201, 10],
      [201, 60],
      [400, refused],
    ]);
    expect((await patch('fresh60', { description: 'still' })).body.data_freshness_seconds).toBe(60);
    expect((await patch('fresh60', { data_freshness_seconds: 10 })).body.attr).toBe('data_freshness_seconds');
    await allowing.stop();
  });

  test('every request of many at once gets a number of its own, and none is lost', async () => {
    const name = await create();
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) => patch(name, { query: hogql(`SELECT ${n + 2}`) })),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(replies.map(({ body }) => body.current_version).sort((a, b) => a - b)).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  test('PUT is PATCH', async () => {
    const name = await create({ description: 'kept' });
    expect((await send('put', `/${name}`, { query: hogql('SELECT 3') })).body).toMatchObject({
      current_version: 2,
      description: 'kept',
    });
  });
});

describe('a version that is named', () => {
  test('is changed alone, and shown; in the body it wins over the query string', async () => {
    const name = await create();
    await patch(name, { query: hogql('SELECT 2') });
    const { body } = await patch(name, { description: 'old', version: 1 }, '?version=2');
    expect(body).toMatchObject({
      version: 1,
      description: 'old',
      current_version: 2,
      endpoint_is_active: true,
      version_updated_at: expect.any(String),
    });
    expect((await send('get', `/${name}`)).body.description).toBe('');
    expect((await patch(name, { description: 'new' }, '?version=2')).body).toMatchObject({
      version: 2,
      description: 'new',
    });
  });

  test('may be sent with its own query, which is no change, beside another that is the current', async () => {
    const name = await create();
    const { body: current } = await patch(name, { query: hogql('SELECT 2 AS b') });
    const { status, body } = await patch(name, { version: 1, query: hogql('SELECT 1 AS a'), description: 'first' });
    expect([status, body]).toEqual([
      200,
      expect.objectContaining({
        version: 1,
        description: 'first',
        versions_count: 2,
        current_version: 2,
        current_version_id: current.current_version_id,
      }),
    ]);
    expect(body).toMatchObject({ version_id: expect.not.stringMatching(current.current_version_id) });
    expect((await patch(name, { version: 1, query: hogql('SELECT 2 AS b') })).status).toBe(400);
  });

  test('can be switched off alone; without a version the endpoint is', async () => {
    const name = await create();
    await patch(name, { query: hogql('SELECT 2') });
    expect((await patch(name, { is_active: false, version: 1 })).body).toMatchObject({
      is_active: false,
      endpoint_is_active: true,
    });
    const refused = await send('post', `/${name}/run`, { version: 1 });
    expect([refused.status, refused.body.detail]).toEqual([400, expect.stringContaining('inactive')]);
    expect((await send('post', `/${name}/run`)).status).toBe(200);
    expect((await patch(name, { is_active: false })).body.is_active).toBe(false);
    expect((await send('post', `/${name}/run`)).status).toBe(404);
    expect((await patch(name, { is_active: true })).body.is_active).toBe(true);
    expect((await send('post', `/${name}/run`)).status).toBe(200);
    await patch(name, { is_active: false, version: 2 });
    expect((await send('post', `/${name}/run`)).status).toBe(400);
    await patch(name, { query: hogql('SELECT 3') });
    expect((await send('post', `/${name}/run`)).body.results).toEqual([[3]]);
    expect((await send('post', `/${name}/run`, { version: 2 })).status).toBe(400);
  });

  test.each([
    ['that is not there', { description: 'x', version: 9 }, 'version'],
    ['that is no number', { version: 'x' }, 'version'],
    ['with another query', { version: 1, query: hogql('SELECT 7') }, 'query'],
  ])('%s is a 400', async (_what, body, attr) => {
    const response = await patch(await create(), body);
    expect([response.status, response.body.attr]).toEqual([400, attr]);
  });
});

describe('what cannot be changed is a 400 on its field, and nothing is', () => {
  test.each([
    ['a query that cannot run', { query: hogql('SELECT nope FROM events'), description: 'x' }, 'query'],
    ['a kind of later', { query: { kind: 'TrendsQuery' } }, 'query'],
    ['buckets of another size', { is_materialized: true, bucket_overrides: { timestamp: 'year' } }, 'bucket_overrides'],
    ['materialization of what is switched off', { is_materialized: true, is_active: false }, 'is_materialized'],
    ['buckets', { bucket_overrides: { timestamp: 'hour' } }, 'bucket_overrides'],
    ['breakdowns of SQL', { optional_breakdown_properties: ['a'] }, 'optional_breakdown_properties'],
    ['another freshness', { data_freshness_seconds: 5 }, 'data_freshness_seconds'],
    ['a reserved name', { name: 'last_execution_times' }, 'name'],
    ['a reserved name in other letters', { name: 'Materialization_conditions' }, 'name'],
    ['a name that is none', { name: '1' }, 'name'],
    ['an unknown field', { nope: 1 }, 'nope'],
  ])('%s', async (_what, body, attr) => {
    const name = await create({ description: 'before' });
    const before = (await send('get', `/${name}`)).body;
    const response = await patch(name, body);
    expect([response.status, response.body.attr]).toEqual([400, attr]);
    expect((await send('get', `/${name}`)).body).toEqual(before);
  });
});

describe('a new name', () => {
  test('takes the place of the old one, whose path is 404 from then on', async () => {
    const name = await create();
    expect((await patch(name, { name: `${name}-renamed` })).body).toMatchObject({
      name: `${name}-renamed`,
      endpoint_path: `${base}/${name}-renamed/run`,
    });
    expect((await send('get', `/${name}`)).status).toBe(404);
    expect((await send('post', `/${name}-renamed/run`)).status).toBe(200);
    expect((await patch(`${name}-renamed`, { name: `${name}-renamed` })).status).toBe(200);
  });

  test('that another has is a 400, also when two take it at once', async () => {
    const [one, two] = [await create(), await create()];
    const taken = await patch(one, { name: two });
    expect([taken.status, taken.body.attr, taken.body.code]).toEqual([400, 'name', 'unique']);
    const replies = await Promise.all([patch(one, { name: 'raced-name' }), patch(two, { name: 'raced-name' })]);
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('deleting by PATCH, as the command line of the product does', () => {
  test('answers the endpoint and success, before anything else is looked at', async () => {
    const name = await create();
    const { status, body } = await patch(name, { deleted: true, query: { kind: 'no such' } });
    expect([status, body]).toEqual([200, expect.objectContaining({ success: true, name })]);
    expect((await send('get', `/${name}`)).status).toBe(404);
    expect((await patch(name, { deleted: true })).status).toBe(404);
  });

  test('false is nothing', async () => {
    const name = await create();
    expect((await patch(name, { deleted: false })).status).toBe(200);
    expect((await send('get', `/${name}`)).status).toBe(200);
  });
});

describe('the list of versions', () => {
  test('newest first, in pages, by their own flags and authors', async () => {
    const name = await create();
    for (const n of [2, 3]) await patch(name, { query: hogql(`SELECT ${n}`) });
    await patch(name, { is_active: false, version: 2 });
    const versions = async (query = '') =>
      (await send('get', `/${name}/versions${query}`)).body as unknown as {
        count: number;
        results: { version: number }[];
      };
    const numbers = async (query = ''): Promise<number[]> =>
      (await versions(query)).results.map(({ version }) => version);
    expect(await numbers()).toEqual([3, 2, 1]);
    expect(await numbers('?limit=1&offset=1')).toEqual([2]);
    expect(await numbers('/?is_active=true')).toEqual([3, 1]);
    expect(await numbers(`?created_by=${acme.userId}&is_active=false`)).toEqual([2]);
    expect(await numbers('?created_by=1999999999')).toEqual([]);
    const counts = [
      await versions('?limit=1'),
      await versions('?is_active=true'),
      await versions('?created_by=1999999999'),
    ].map(({ count }) => count);
    expect(counts).toEqual([3, 2, 0]);
    const [newest] = (await versions()).results;
    expect(newest).toMatchObject({
      version: 3,
      current_version: 3,
      is_active: true,
      endpoint_is_active: true,
      url: expect.stringContaining(`/${name}/run`),
    });
  });
});

describe('last execution times (contract/endpoints 4.8)', () => {
  const request = async (body: object) => send('post', '/last_execution_times/', body);

  test('of what was run; the rest is left out', async () => {
    const [ran, never] = [await create(), await create()];
    await send('post', `/${ran}/run`);
    await eventually(async () => {
      const { status, body } = await request({ names: [ran, never, 'unknown'] });
      expect([status, body.query_status]).toEqual([
        200,
        expect.objectContaining({
          id: '',
          team_id: acme.projectId,
          complete: true,
          error: false,
          query_async: true,
          results: [[ran, expect.stringMatching(/Z$/)]],
          task_id: null,
        }),
      ]);
    });
    expect((await request({ names: [] })).body.query_status).toMatchObject({ results: null });
    const other = await api.seed('Elsewhere');
    const theirs = await api
      .as(other.key)
      .send<Body>('post', `/api/projects/${other.projectId}/endpoints/last_execution_times`)
      .send({ names: [ran] });
    expect(theirs.body.query_status).toMatchObject({ results: [] });
    await send('delete', `/${ran}`);
    expect((await request({ names: [ran] })).body.query_status).toMatchObject({ results: [] });
  });

  test('of a version are its own', async () => {
    const name = await create();
    await patch(name, { query: hogql('SELECT 2') });
    const timeOf = async (query: string) => (await send('get', `/${name}${query}`)).body.last_executed_at;
    await send('post', `/${name}/run`, { version: 1 });
    await eventually(async () => expect(await timeOf('?version=1')).not.toBeNull());
    expect([await timeOf(''), await timeOf('?version=2')]).toEqual([await timeOf('?version=1'), null]);
  });

  test.each([[{}], [{ names: ['1'] }], [{ names: 'a' }], [{ names: [1] }]])('%j is a 400 on names', async (body) => {
    const response = await request(body);
    expect([response.status, String(response.body.attr).split('__')[0]]).toEqual([400, 'names']);
  });
});
