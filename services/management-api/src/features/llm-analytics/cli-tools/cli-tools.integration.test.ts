import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import type { Method } from '../../../test/test-request.ts';

// The tools `llma-*` of posthog-cli 0.19.0 for queues, items, scorers, reviews and summaries, each request as it was recorded, in their order. A
// tool prints the fields of the answer and makes links of `id`, `trace_id` and those of `results`.

interface RecordedCall {
  tool: string;
  /** Names the id of the record in the answer; `{name}` stands for it in later calls. */
  as?: string;
  method: string;
  path: string;
  body?: string;
  status: number;
}

type Fields = Record<string, unknown>;

const file = readFileSync(join(import.meta.dirname, 'recorded-calls.json'), 'utf8');
const { calls } = JSON.parse(file) as { calls: RecordedCall[] };
const headers = {
  'user-agent': 'posthog/mcp-server; version: 1.0.0',
  'x-posthog-client': 'mcp',
  'x-posthog-mcp-client-name': 'posthog-cli',
};

let api: TestApi;
let acme: Seed;
let ids: Map<string, string>;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  ids = new Map([['project', String(acme.projectId)]]);
});
afterAll(() => api?.stop());

const uuid: unknown = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const time: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z$/);
const text: unknown = expect.any(String);
const textOrNull: unknown = { asymmetricMatch: (value: unknown) => value === null || typeof value === 'string' };
const integer: unknown = expect.any(Number);
const user: unknown = expect.objectContaining({ id: integer, uuid, first_name: text, email: text });

const made = { created_at: time, created_by: user };
const kept = { ...made, updated_at: time, team: integer };
const kind: unknown = expect.stringMatching(/^(numeric|categorical|boolean)$/);
const scorer = {
  ...{
    ...kept,
    id: uuid,
    name: text,
    short_name: text,
    description: text,
    kind,
    archived: false,
    tags: expect.any(Array),
  },
  ...{ current_version: integer, current_version_id: uuid, config: expect.any(Object) },
};
const review = {
  ...{ ...kept, id: uuid, trace_id: text, trace_url: expect.stringContaining('/ai-observability/traces/') },
  ...{ comment: expect.anything(), reviewed_by: user, scores: expect.any(Array) },
};
const points: unknown = expect.arrayContaining([{ text, line_refs: text }]);
const summary = { title: text, flow_diagram: text, summary_bullets: points, interesting_notes: expect.any(Array) };
const summarization = {
  ...{ summary, text_repr: text },
  metadata: { text_repr_length: integer, model: 'builtin', summarize_type: 'event', mode: 'detailed' },
};
/** Fields of a tool's answers, by the beginning of its name. */
const records: [prefix: string, record: Fields][] = [
  ['llma-review-queue-item-', { ...kept, id: uuid, queue_id: uuid, queue_name: text, trace_id: text }],
  ['llma-review-queue-', { ...kept, id: uuid, name: text, pending_item_count: integer }],
  [
    'llma-score-definition-version-',
    { ...made, id: uuid, definition_id: uuid, version: integer, kind, config: expect.any(Object) },
  ],
  ['llma-score-definition-', scorer],
  ['llma-trace-review-update', { ...review, comment: null }],
  ['llma-trace-review-', review],
  ['llma-summarization-', summarization],
];

/** The answer that a tool reads, and nothing beside it. */
function expectedAnswer({ tool, status }: RecordedCall): unknown {
  if (status === 204) return {};
  if (status === 404) return { type: 'invalid_request', code: 'not_found', detail: text, attr: null };
  if (status === 409)
    return { type: 'validation_error', code: 'conflict', detail: text, attr: null, current_version: integer };
  if (status === 400) return { type: 'validation_error', code: 'invalid_input', detail: text, attr: text };
  const [, record] = records.find(([prefix]) => tool.startsWith(prefix)) ?? [];
  if (!tool.endsWith('-list')) return record;
  const place = tool.includes('-version-') ? { next_cursor: textOrNull } : { next: textOrNull, previous: textOrNull };
  return { ...place, count: integer, results: expect.any(Array) };
}

const filled = (recorded: string): string =>
  [...ids].reduce((rest, [name, id]) => rest.replaceAll(`{${name}}`, id), recorded);

describe.each(calls.map((call) => [call.tool, call] as const))('%s', (tool, call) => {
  test(`${call.method} ${call.path} is ${call.status}`, async () => {
    const sending = api.as(acme.key).send<Fields>(call.method.toLowerCase() as Method, filled(call.path));
    for (const [name, value] of Object.entries(headers)) void sending.set(name, value);
    const answer = await (call.body === undefined
      ? sending
      : sending.set('content-type', 'application/json').send(filled(call.body)));
    expect([answer.status, answer.body]).toEqual([call.status, expectedAnswer(call)]);
    const results = (answer.body['results'] ?? []) as Fields[];
    const one = { ...call, tool: tool.replace(/-list$/, '-get') };
    expect(results).toEqual(results.map(() => expectedAnswer(one)));
    expect(tool.endsWith('-list') && results.length === 0).toBe(false);
    if (call.as !== undefined) ids.set(call.as, String(answer.body['id'] ?? results[0]?.['id']));
  });
});

test('around each call it asks whose key it is, and whether the organization consents', async () => {
  const ask = async (path: string): Promise<Fields> =>
    (await api.as(acme.key).send<Fields>('get', `/api/${path}/`)).body;
  expect(await ask('personal_api_keys/@current')).toMatchObject({ scopes: ['*'], scoped_teams: [] });
  expect(await ask(`projects/${acme.projectId}`)).toMatchObject({ organization: acme.organizationId });
  expect(await ask(`organizations/${acme.organizationId}`)).toHaveProperty('is_ai_data_processing_approved');
  expect(await ask('users/@me')).toMatchObject({ organization: { id: acme.organizationId } });
});
