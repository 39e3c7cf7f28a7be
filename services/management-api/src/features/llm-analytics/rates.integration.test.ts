import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApi, type TestApi } from '../../test/test-api.ts';

// Rates of contract/llm-surveys 1.3.
let api: TestApi;
beforeAll(async () => {
  api = await startTestApi({
    API_THROTTLES: 'true',
    API_THROTTLE_TEXT_REPR_PER_MINUTE: '2',
    API_THROTTLE_SUMMARIZATION_PER_MINUTE: '3',
    API_THROTTLE_TRANSLATION_PER_MINUTE: '1',
  });
});
afterAll(() => api?.stop());

test('texts, summaries and translations of a key have a rate each; lookups of summaries count as summaries', async () => {
  const { key, projectId } = await api.seed('Acme');
  const other = await api.seed('Other');
  const post = async (path: string, by = { key, projectId }) =>
    await api.as(by.key).send('post', `/api/projects/${by.projectId}/llm_analytics/${path}`).send({});
  const statuses = async (...paths: string[]) => {
    const all: number[] = [];
    for (const path of paths) all.push((await post(path)).status);
    return all;
  };
  expect(await statuses('text_repr', 'text_repr', 'text_repr')).toEqual([400, 400, 429]);
  expect(
    await statuses('summarization', 'summarization/batch_check', 'summarization', 'summarization/batch_check'),
  ).toEqual([400, 400, 400, 429]);
  expect(await statuses('translate', 'translate')).toEqual([400, 429]);
  const { body, headers } = await post('summarization');
  expect([body.code, Number(headers['retry-after']) > 0]).toEqual(['throttled', true]);
  expect((await post('summarization', other)).status).toBe(400);
});
