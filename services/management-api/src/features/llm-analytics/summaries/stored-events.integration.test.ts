import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import { eventOf, newId, traceOf, type Answer } from './testing/summary-data.ts';

// Summaries of stored events by id (contract/llm-surveys 6.3).
let api: TestApi;
let acme: Seed;
let other: Seed;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  other = await api.seed('Other');
});
afterAll(() => api?.stop());

const post = async (body: object, { key, projectId }: Seed = acme) =>
  await api.as(key).send<Answer>('post', `/api/projects/${projectId}/llm_analytics/summarization`).send(body);

const dayMs = 86_400_000;
type TestEvent = [event: string, properties: object, uuid?: string];

/** Stores events of Acme, a second after the other, from so many days ago. */
async function store(events: readonly TestEvent[], days = 1): Promise<void> {
  const beginMs = Date.now() - days * dayMs;
  await api.insertEvents(
    events.map(([event, properties, uuid = randomUUID()], index) => ({
      team_id: acme.projectId,
      uuid,
      event,
      timestamp: new Date(beginMs + index * 1000).toISOString().replace('T', ' ').replace('Z', '000'),
      properties,
    })),
  );
}

const asked = 'How is the weather in Oslo?';
const generation = (traceId: unknown, more: object = {}, uuid = randomUUID()): TestEvent => [
  '$ai_generation',
  { $ai_trace_id: traceId, $ai_model: 'm', $ai_input: [{ role: 'user', content: asked }], $ai_output: 'It rains.', ...more },
  uuid,
]; // prettier-ignore

describe('a trace', () => {
  test('is found by its id, with its name, and its summary is stored', async () => {
    const id = newId();
    await store([generation(id), ['$ai_trace', { $ai_trace_id: id, $ai_span_name: 'Support chat' }]]);
    const { status, body } = await post({ trace_id: id });
    expect(status).toBe(200);
    expect(body.summary.title).toBe('Support chat');
    expect(body.summary.summary_bullets.map(({ text }) => text)).toContain(`The user writes: “${asked}”`);
    expect(body.text_repr).toMatch(/^L01: SUPPORT CHAT\n/);
    expect(body.metadata).toEqual({
      text_repr_length: [...body.text_repr].length,
      model: 'builtin',
      summarize_type: 'trace',
      mode: 'minimal',
    });
    const { key, projectId } = acme;
    const check = api.as(key).send('post', `/api/projects/${projectId}/llm_analytics/summarization/batch_check`);
    expect((await check.send({ trace_ids: [id] })).body).toEqual({
      summaries: [{ trace_id: id, title: 'Support chat', cached: true }],
    });
  });

  test('has the feedback of its users among the notes, without a line', async () => {
    const id = newId();
    const feedback = (text: unknown): TestEvent => ['$ai_feedback', { $ai_trace_id: id, $ai_feedback_text: text }];
    await store([generation(id), feedback('Not what I asked [L1]'), feedback(''), feedback(7)]);
    const { body } = await post({ trace_id: id });
    expect(body.summary.interesting_notes).toEqual([
      { text: 'Feedback: “Not what I asked (L1]”', line_refs: '' },
      { text: 'Feedback: “7”', line_refs: '' },
    ]);
    expect(body.text_repr).not.toContain('Not what I asked');
  });

  test('may have a number as its id', async () => {
    await store([generation(7_000_001)]);
    expect((await post({ trace_id: 7_000_001 })).body.summary.title).toBe(asked);
  });

  test('of more than 256 KiB is like a small one', async () => {
    const id = newId();
    await store([generation(id, { $ai_output: 'It rains.\n'.repeat(40_000) }), generation(id)]);
    const { status, body } = await post({ trace_id: id, mode: 'detailed' });
    expect([status, body.summary.title, body.metadata['mode']]).toEqual([200, asked, 'detailed']);
    expect(body.text_repr).toContain('It rains.\n');
  });

  test('of more than 10,000 events has its newest, and says how many are missing', async () => {
    const id = newId();
    const spans = Array.from({ length: 10_002 }, (_, at): TestEvent => [
      '$ai_span',
      { $ai_trace_id: id, $ai_span_id: `s${at}`, $ai_span_name: `Step ${at}` },
    ]);
    await store(spans);
    const { status, body } = await post({ trace_id: id });
    expect([status, body.metadata['events_omitted']]).toEqual([200, 2]);
    expect(body.text_repr).toMatch(/Step 10001\b/);
    expect(body.text_repr).not.toMatch(/Step 1\b/);
    expect(body.text_repr).toMatch(/\[2 events not shown\]$/);
  }, 60_000);

  test('that is not there, or of another project, is a 404 that names it', async () => {
    const id = newId();
    await store([generation(id)]);
    for (const { status, body } of [await post({ trace_id: 'missing' }), await post({ trace_id: id }, other)])
      expect([status, body.code, body.detail]).toEqual([
        404,
        'not_found',
        expect.stringMatching(/^Trace '(?:missing|made-\d+)' not found in the given date range\.$/),
      ]);
  });
});

describe('an event', () => {
  test.each<[string, object]>([
    ['$ai_generation', { $ai_input: asked, $ai_output: 'It rains.' }],
    ['$ai_span', { $ai_span_name: 'Forecast', $ai_input_state: { city: 'Oslo' } }],
    ['$ai_embedding', { $ai_input: 'Oslo' }],
    ['$ai_evaluation', { $ai_evaluation_name: 'Helpful', $ai_evaluation_result: true }],
  ])('%s is found by its uuid', async (event, properties) => {
    const uuid = randomUUID();
    await store([[event, properties, uuid]]);
    const { status, body } = await post({ generation_id: uuid });
    expect([status, body.metadata['summarize_type']]).toEqual([200, 'event']);
    expect(body.text_repr).toMatch(/Oslo|Helpful/);
    expect(body.summary.summary_bullets.length).toBeGreaterThanOrEqual(3);
  });

  test('of more than 256 KiB is like a small one', async () => {
    const event = generation('large', { $ai_output: 'It rains.\n'.repeat(40_000) });
    await store([event]);
    expect((await post({ generation_id: event[2] })).body.summary.title).toBe(asked);
  });

  test.each([randomUUID(), 'gen_1'])('%s that is not there is a 404 that names it', async (id) => {
    const { status, body } = await post({ generation_id: id });
    expect([status, body.detail]).toEqual([404, `Event '${id}' not found in the given date range.`]);
  });
});

describe('the time in which an id is looked for (contract/decisions 70)', () => {
  test('is that of the request, else the last 30 days; a stored summary is served whatever it is', async () => {
    const id = newId();
    await store([generation(id)], 40);
    expect((await post({ trace_id: id })).status).toBe(404);
    expect((await post({ trace_id: id, date_from: '-90d', date_to: '-50d' })).status).toBe(404);
    const day = new Date(Date.now() - 40 * dayMs).toISOString().slice(0, 10);
    const { body } = await post({ trace_id: id, date_from: day, date_to: day });
    expect(body.summary.title).toBe(asked);
    expect((await post({ trace_id: id })).body).toEqual(body);
    expect((await post({ trace_id: id, force_refresh: true })).status).toBe(404);
    expect((await post({ trace_id: id, date_from: null, date_to: ' ' })).body).toEqual(body);
  });

  test.each<[object, string]>([
    [{ date_from: 'yesterday' }, 'date_from'],
    [{ date_to: '2026-02-30' }, 'date_to'],
    [{ date_from: '-7d', date_to: '-14d' }, 'date_from'],
  ])('%j is a 400, also when a summary is stored', async (dates, attr) => {
    const id = newId();
    await post(traceOf(id));
    const { status, body } = await post({ trace_id: id, ...dates });
    expect([status, body.attr, body.code]).toEqual([400, attr, 'invalid_input']);
  });
});

test('a stored summary is replied before events are looked for, whichever form of the request stored it', async () => {
  const [traceId, eventId] = [newId(), newId()];
  const made = [await post(traceOf(traceId)), await post(eventOf(eventId))];
  const found = [await post({ trace_id: traceId }), await post({ generation_id: eventId })];
  expect(found.map(({ body }) => body)).toEqual(made.map(({ body }) => body));
});
