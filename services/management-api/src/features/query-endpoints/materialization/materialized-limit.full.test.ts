import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { wake } from './wake.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ ENDPOINT_MATERIALIZED_PER_PROJECT_MAX: '2' });
});
afterAll(() => api?.stop());

test('a project has as many materialized versions as the operator allows; one more is a 400 with the figure', async () => {
  const [own, other] = [await api.seed('Own'), await api.seed('Other')];
  const send = (method: 'post' | 'patch', path: string, body: object, seed = own) =>
    api
      .as(seed.key)
      .send<{ is_materialized: boolean; attr: string; detail: string }>(
        method,
        `/api/projects/${seed.projectId}/endpoints${path}`,
      )
      .send(body);
  const endpoint = (name: string, isMaterialized = true) => ({
    name,
    query: {
      kind: 'HogQLQuery',
      query: 'SELECT count() FROM events WHERE event = {variables.event}',
      variables: { event: { code_name: 'event', value: 'paid' } },
    },
    is_materialized: isMaterialized,
  });
  // At the same time, too, no more are made than there may be.
  const made = await Promise.all(['a', 'b', 'c', 'd'].map((name) => send('post', '', endpoint(name))));
  expect(made.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400]);
  const refused = made.find(({ status }) => status === 400);
  expect(refused?.body).toMatchObject({ attr: 'is_materialized', detail: expect.stringContaining('may have 2 ') });
  expect((await send('post', '', endpoint('e', false))).status).toBe(201);
  expect((await send('patch', '/e', { is_materialized: true })).status).toBe(400);
  expect((await send('post', '', endpoint('a'), other)).status).toBe(201);
  const one = made.findIndex(({ status }) => status === 201);
  expect((await send('patch', `/${['a', 'b', 'c', 'd'][one] ?? ''}`, { is_materialized: false })).status).toBe(200);
  expect((await send('patch', '/e', { is_materialized: true })).status).toBe(200);
});

describe('edits of a materialized endpoint', () => {
  interface Body extends Record<string, unknown> {
    materialization: { ready: boolean; hibernated: boolean };
  }
  let seed: Seed;
  const send = (method: 'get' | 'post' | 'patch', path: string, body: object = {}) =>
    api.as(seed.key).send<Body>(method, `/api/projects/${seed.projectId}/endpoints${path}`).send(body);
  const queryOf = (edit: number) => ({
    kind: 'HogQLQuery',
    query: `SELECT count() AS n, ${edit} AS edit FROM events WHERE event = {variables.event}`,
    variables: { event: { code_name: 'event', value: 'paid' } },
  });
  const create = async (name: string) =>
    expect(await send('post', '', { name, query: queryOf(0), is_materialized: true })).toMatchObject({ status: 201 });
  const hibernated = async (name: string, versions: readonly number[]): Promise<boolean[]> => {
    const found = [];
    for (const version of versions)
      found.push((await send('get', `/${name}/materialization_status?version=${version}`)).body);
    return found.map((status) => status['hibernated'] as boolean);
  };
  /** As if a caller that is bound to it had run the version since it was replaced. */
  const runLater = (name: string, version: number) =>
    api.prisma.endpointVersion.updateMany({
      where: { endpoint: { name, projectId: seed.projectId }, version },
      data: { lastExecutedAt: new Date(Date.now() + 600_000) },
    });
  beforeEach(async () => {
    seed = await api.seed('Editor');
  });

  test('use nothing of it up: old versions that nobody runs make room, and wake when somebody does', async () => {
    await create('edited');
    for (const edit of [1, 2, 3]) {
      const { status, body } = await send('patch', '/edited', { query: queryOf(edit) });
      expect([status, body]).toMatchObject([200, { current_version: edit + 1, materialization: { enabled: true } }]);
      expect(body).not.toHaveProperty('materialization_error');
    }
    expect(await hibernated('edited', [1, 2, 3, 4])).toEqual([true, true, false, false]);
    await create('another');
    expect(await hibernated('edited', [3, 4])).toEqual([true, false]);
    // A run of the old version does without a table while there is no room, and has one when there is.
    expect(
      (await send('post', '/edited/run', { version: 1, variables: { event: 'paid' }, debug: true })).body,
    ).toMatchObject({ path: 'inline', results: [[0, 0]] });
    expect(await hibernated('edited', [1, 4])).toEqual([true, false]);
    await send('patch', '/another', { is_materialized: false });
    const { id } = await api.prisma.endpointVersion.findFirstOrThrow({
      where: { endpoint: { name: 'edited', projectId: seed.projectId }, version: 1 },
    });
    await wake(api.prisma, id, 2);
    expect(await hibernated('edited', [1, 4])).toEqual([false, false]);
  });

  test('leave old versions that are run; without room the new version says why it has no table', async () => {
    await create('edited');
    await send('patch', '/edited', { query: queryOf(1) });
    await runLater('edited', 1);
    expect((await send('patch', '/edited', { query: queryOf(2) })).body).toMatchObject({
      materialization: { enabled: true },
    });
    expect(await hibernated('edited', [1, 2, 3])).toEqual([false, true, false]);
    const { status, body } = await send('post', '', { name: 'refused', query: queryOf(0), is_materialized: true });
    expect([status, body]).toMatchObject([400, { attr: 'is_materialized' }]);
    await runLater('edited', 3);
    const edited = await send('patch', '/edited', { query: queryOf(4) });
    expect([edited.status, edited.body]).toMatchObject([
      200,
      {
        current_version: 4,
        materialization: { enabled: false },
        materialization_error: expect.stringContaining('may have 2 '),
      },
    ]);
    expect(await hibernated('edited', [1, 3])).toEqual([false, false]);
  });
});
