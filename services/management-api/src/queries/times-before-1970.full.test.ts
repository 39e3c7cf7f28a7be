import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../test/test-api.ts';

// The least and the greatest time of a group are the same, however often they are asked for: ClickHouse compiles an aggregation that it has
// met a few times, and its compiled `max` takes times before 1970 for those after all others.
let api: TestApi;
let seed: Seed;

beforeAll(async () => {
  api = await startTestApi();
  seed = await api.seed();
  const times = ['1950-06-01 12:00:00.000000', '2026-03-08 00:00:00.000000'];
  await api.insertEvents(times.map((timestamp) => ({ team_id: seed.projectId, event: 'old', timestamp })));
});
afterAll(() => api?.stop());

test.each(['', ' GROUP BY event'])(
  'times before 1970 are before all others in min and max%s, each time',
  async (group) => {
    const query = `SELECT count(), min(timestamp), max(timestamp) FROM events${group}`;
    for (let time = 0; time < 8; time++) {
      const { body } = await api
        .as(seed.key)
        .send<{ results: unknown }>('post', `/api/projects/${seed.projectId}/query`)
        .send({ query: { kind: 'HogQLQuery', query }, refresh: 'force_blocking' });
      expect([time, body.results]).toEqual([time, [[2, '1950-06-01T12:00:00.000000Z', '2026-03-08T00:00:00.000000Z']]]);
    }
  },
);
