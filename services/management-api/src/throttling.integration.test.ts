import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from './test/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    API_THROTTLES: 'true',
    API_THROTTLE_PER_MINUTE: '3',
    API_THROTTLE_EXEMPT_PROJECTS: '1, 2',
  });
});
afterAll(() => api?.stop());

const send = (seed: Seed, path = `/api/projects/${seed.projectId}/endpoints`, app = api.api) =>
  api.as(seed.key, app).send('get', path);

describe('a key that calls too often (contract/orgs-errors 1.6)', () => {
  test('gets the time of its next call, for any route; other keys are not affected', async () => {
    const [seed, other] = [await api.seed('Often'), await api.seed('Seldom')];
    for (const path of [undefined, '/api/users/@me', '/api/organizations/@current'])
      expect((await send(seed, path)).status).toBe(200);
    const { status, body, headers } = await send(seed);
    const seconds = Number(headers['retry-after']);
    expect([status, body]).toEqual([
      429,
      {
        type: 'throttled_error',
        code: 'throttled',
        detail: `Request was throttled. Expected available in ${seconds} seconds.`,
        attr: null,
      },
    ]);
    expect(seconds).toBeGreaterThan(50);
    expect(seconds).toBeLessThanOrEqual(60);
    expect((await send(other)).status).toBe(200);
  });

  test('calls that were refused do not count', async () => {
    const [seed, other] = [await api.seed('Refused'), await api.seed('Theirs')];
    for (let time = 0; time < 5; time++)
      expect((await send(seed, `/api/projects/${other.projectId}/endpoints`)).status).toBe(403);
    expect((await send(seed)).status).toBe(200);
  });

  test('exempt projects, and an API without throttling', async () => {
    const seed = await api.seed('Exempt');
    const free = await api.startProcess({ API_THROTTLES: '' });
    const exempt = await api.startProcess({ API_THROTTLE_EXEMPT_PROJECTS: String(seed.projectId) });
    for (const app of [free, exempt])
      for (let time = 0; time < 5; time++) expect((await send(seed, undefined, app)).status).toBe(200);
  });

  test('without Redis where there should be one, each process counts for itself', async () => {
    const seed = await api.seed('Alone');
    const app = await api.startProcess({ REDIS_URL: 'redis://127.0.0.1:1', LOG_LEVEL: 'fatal' });
    const statuses = [];
    for (let time = 0; time < 4; time++) statuses.push((await send(seed, undefined, app)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});
