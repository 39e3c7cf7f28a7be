import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { isUuid } from '@millrace/runtime/ids.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import type { Method } from '../../../test/test-request.ts';

// Requests of `OfflineEvaluations.scorers` of posthog-python 7.91.1 as they were recorded, in their order, with a key of its scopes. It
// refuses an answer whose texts, integers or times are not exactly of their types, so that is what is checked of each.

interface Step {
  method: Method;
  rest: string;
  body?: string;
  expected: { status: number; fields: Record<string, unknown> };
}

let api: TestApi;
let acme: Seed;
let key: string;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  ({ key } = await api.admin.createKey({ email: acme.email, scopes: ['llm_analytics:write'] }));
});
afterAll(() => api?.stop());

const tone =
  '{"name":"Tone","kind":"categorical","config":{"options":[{"key":"kind","label":"Kind"},{"key":"rude","label":"Rude"}],"selection_mode":"multiple","min_selections":1,"max_selections":null,"passing_rule":{"categories":["kind"]}},"description":"How it says it","tags":["beta"]}';
const quality =
  '{"name":"Quality","kind":"numeric","config":{"min":0,"max":5,"step":0.5,"passing_rule":{"operator":"gte","threshold":3}},"description":null,"tags":[" Support","beta","support"]}';
const composition = '{"expression":"number(correct)","inputs":[{"alias":"correct","scorer_version_id":"VERSION"}]}';
const refused = { status: 400, fields: { attr: 'calculation', code: 'invalid_input' } };
const ok = (fields: Record<string, unknown>) => ({ status: 200, fields });

const steps: readonly Step[] = [
  {
    ...{ method: 'post', rest: '', body: quality },
    expected: { status: 201, fields: { description: '', tags: ['beta', 'support'], current_version: 1 } },
  },
  {
    method: 'post',
    rest: '',
    body: tone,
    expected: { status: 201, fields: JSON.parse(tone) as Record<string, unknown> },
  },
  { method: 'get', rest: 'ID/', expected: ok({ name: 'Quality' }) },
  {
    ...{ method: 'get', rest: '?limit=2&offset=0&order_by=-name&tags=%5B%22beta%22%2C+%22support%22%5D&tag_match=any' },
    expected: ok({ count: 2, next: null, results: [{ name: 'Tone' }, { name: 'Quality' }] }),
  },
  {
    ...{ method: 'get', rest: '?limit=1&offset=0&search=o&kind=categorical&calculation=reported&archived=false' },
    expected: ok({ count: 1, results: [{ name: 'Tone' }] }),
  },
  {
    method: 'get',
    rest: '?limit=1&offset=0',
    expected: ok({ count: 2, next: expect.stringMatching(/[?&]offset=1$/) }),
  },
  { method: 'get', rest: '?limit=100&offset=0&calculation=composite', expected: ok({ count: 0, results: [] }) },
  { method: 'get', rest: '?limit=100&offset=0&input_definition_id=ID', expected: ok({ count: 0, results: [] }) },
  {
    ...{ method: 'patch', rest: 'ID/', body: '{"name":"Quality 2","description":"x","archived":true,"tags":[]}' },
    expected: ok({ name: 'Quality 2', archived: true, tags: [], current_version: 1 }),
  },
  {
    ...{ method: 'post', rest: 'ID/new_version/', body: '{"name":"Quality 3","config":{"min":1},"base_version":1}' },
    expected: ok({ name: 'Quality 3', config: { min: 1 }, current_version: 2 }),
  },
  {
    ...{ method: 'post', rest: 'ID/new_version/', body: '{"config":{},"base_version":1}' },
    expected: { status: 409, fields: { code: 'conflict', current_version: 2 } },
  },
  {
    ...{ method: 'post', rest: 'ID/new_version/', body: '{"description":null,"config":{"max":2.5}}' },
    expected: ok({ description: '', current_version: 3 }),
  },
  {
    ...{ method: 'get', rest: 'ID/versions/?limit=2' },
    expected: ok({ count: 3, next_cursor: '2', results: [{ version: 3 }, { version: 2 }] }),
  },
  {
    ...{ method: 'get', rest: 'ID/versions/?limit=2&cursor=2' },
    expected: ok({ count: 3, next_cursor: null, results: [{ version: 1 }] }),
  },
  { method: 'get', rest: 'ID/versions/VERSION/', expected: ok({ version: 1, kind: 'numeric' }) },
  {
    ...{ method: 'post', rest: 'validate_composition/', body: `{"kind":"numeric","composition":${composition}}` },
    expected: refused,
  },
  {
    ...{ method: 'post', rest: '' },
    body: `{"name":"C","kind":"numeric","config":{},"calculation":"composite","composition":${composition}}`,
    expected: refused,
  },
  {
    ...{ method: 'post', rest: 'ID/new_version/', body: `{"config":{},"composition":${composition}}` },
    expected: refused,
  },
];

/** The parts of an answer that are scorers or versions. */
function recordsOf(body: Record<string, unknown>): Record<string, unknown>[] {
  const { results } = body;
  return Array.isArray(results) ? (results as Record<string, unknown>[]) : [body];
}

function expectExactTypes(record: Record<string, unknown>): void {
  const isScorer = 'current_version' in record;
  const texts = isScorer ? ['name', 'description', 'kind', 'created_at', 'updated_at'] : ['kind', 'created_at'];
  for (const name of texts) expect([name, typeof record[name]]).toEqual([name, 'string']);
  const ids = isScorer ? ['id', 'current_version_id'] : ['id', 'definition_id'];
  for (const name of ids) expect([name, isUuid(String(record[name]))]).toEqual([name, true]);
  const integers = isScorer ? ['current_version', 'team'] : ['version'];
  for (const name of integers) expect([name, Number.isInteger(record[name])]).toEqual([name, true]);
  expect(String(record['created_at'])).toMatch(/Z$/);
  expect(record['config']).toEqual(expect.any(Object));
  if (isScorer) expect([record['archived'], record['tags']]).toEqual([expect.any(Boolean), expect.any(Array)]);
}

test('the scorers client of posthog-python gets the answers that it reads', async () => {
  const path = `/api/projects/${acme.projectId}/llm_analytics/score_definitions/`;
  let [id, versionId] = ['', ''];
  for (const { method, rest, body, expected } of steps) {
    const filled = (text: string): string => text.replaceAll('ID', id).replaceAll('VERSION', versionId);
    const sending = api.as(key).send<Record<string, unknown>>(method, path + filled(rest));
    const answer = await (body === undefined
      ? sending
      : sending.set('Content-Type', 'application/json').send(filled(body)));
    expect([rest, answer.status, answer.body]).toEqual([rest, expected.status, expect.objectContaining({})]);
    expect(answer.body).toMatchObject(expected.fields);
    if (answer.status < 400) for (const record of recordsOf(answer.body)) expectExactTypes(record);
    if (id === '') [id, versionId] = [String(answer.body['id']), String(answer.body['current_version_id'])];
  }
});
