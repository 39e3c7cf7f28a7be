import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../../../test/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({ ENDPOINT_FRESHNESS_MIN_SECONDS: '0' });
});
afterAll(() => api?.stop());

// Its table would be built every few seconds, and never answer.
test('a materialized version takes no freshness below 15 minutes, also where the operator allows it', async () => {
  const { key, projectId } = await api.seed('Short');
  const send = (method: 'post' | 'patch', path: string, body: object) =>
    api.as(key).send(method, `/api/projects/${projectId}/endpoints${path}`).send(body);
  const query = { kind: 'HogQLQuery', query: 'SELECT count() FROM events' };
  await send('post', '', { name: 'short', query, is_materialized: true });
  const { status, body } = await send('patch', '/short', { data_freshness_seconds: 60 });
  expect([status, body]).toMatchObject([
    400,
    { attr: 'data_freshness_seconds', detail: expect.stringContaining('at least 900') },
  ]);
  const off = await send('patch', '/short', { data_freshness_seconds: 60, is_materialized: false });
  expect([off.status, off.body]).toMatchObject([200, { data_freshness_seconds: 60, is_materialized: false }]);
  const on = await send('patch', '/short', { is_materialized: true });
  expect([on.status, on.body]).toMatchObject([400, { attr: 'is_materialized' }]);
});
