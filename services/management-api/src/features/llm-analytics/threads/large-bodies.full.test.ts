import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

// Large bodies over HTTP (contract/decisions 61): bounded, and others are answered meanwhile.
let api: TestApi;
let acme: Seed;
let other: Seed;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  other = await api.seed('Other');
});
afterAll(() => api?.stop());

const post = async ({ key, projectId }: Seed, length: number, route = 'text_repr') => {
  const properties = { $ai_input: 'a line of text\n'.repeat(length / 15) };
  const event = { id: 'x', event: '$ai_generation', properties };
  const body =
    route === 'text_repr'
      ? { event_type: '$ai_generation', data: event }
      : { summarize_type: 'event', data: { event }, force_refresh: true };
  return await api.as(key).send('post', `/api/projects/${projectId}/llm_analytics/${route}`).send(body);
};
const mib = 1_048_576;

test('an organization has eight large bodies waiting, and others have room; more are 503 with the seconds to wait', async () => {
  const [mine, theirs] = await Promise.all([
    Promise.all(
      Array.from({ length: 20 }, (_, at) => post(acme, 2 * mib, at % 2 === 0 ? 'text_repr' : 'summarization')),
    ),
    Promise.all(Array.from({ length: 2 }, () => post(other, mib))),
  ]);
  const refused = mine.filter(({ status }) => status !== 200);
  expect(mine.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(8);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, headers, body } of refused)
    expect([status, headers['retry-after'], body.code]).toEqual([503, '1', 'unavailable']);
  expect(theirs.map(({ status }) => status)).toEqual([200, 200]);
}, 120_000);

test('others are answered while eight texts of 8 MiB are made, and memory is bounded', async () => {
  let isDone = false;
  const texts = Promise.all(Array.from({ length: 8 }, () => post(acme, 8 * mib))).finally(() => (isDone = true));
  const waits: number[] = [];
  let rssMax = 0;
  while (!isDone) {
    const begun = performance.now();
    const { status } = await api
      .as(other.key)
      .send('get', `/api/projects/${other.projectId}/llm_analytics/review_queues`);
    expect(status).toBe(200);
    waits.push(performance.now() - begun);
    rssMax = Math.max(rssMax, process.memoryUsage.rss());
  }
  expect((await texts).map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
  waits.sort((one, other) => one - other);
  expect(waits[Math.floor(waits.length * 0.9)]).toBeLessThan(1_000);
  // Some 980 MiB; the texts alone have 64 MiB, and a thread may take 1.5 GiB for one.
  expect(rssMax).toBeLessThan(2_500 * mib);
}, 120_000);
