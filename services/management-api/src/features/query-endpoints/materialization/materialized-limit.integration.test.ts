import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../../../test/test-api.ts';

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
