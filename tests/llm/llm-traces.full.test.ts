import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { run, saveEndpoint, sendRequest, type Reply } from '../support/api.ts';
import { startSystem, type System } from '../support/system.ts';
import { expectedTexts } from './expected-texts.ts';
import { eventsOf, recordedRequests, replay, type RecordedEvent } from '../support/recorded-requests.ts';

// Traces as the wrappers of posthog-python and @posthog/ai send them, recorded while they talked to a fake provider: conversations with
// tools, streams, errors and images. Each is captured, stored, summarized by its id, queued, reviewed, scored and shown on its page.

type Fields = Record<string, unknown>;

const recordings = recordedRequests(join(import.meta.dirname, 'recorded'));
const traces = tracesOf(recordings.flatMap(eventsOf));
let system: System;
let queueId: string;
let definitionId: string;

function tracesOf(events: readonly RecordedEvent[]): [traceId: string, events: RecordedEvent[]][] {
  const byId = Map.groupBy(events, ({ properties }) => String(properties['$ai_trace_id']));
  return [...byId];
}

const send = <T = Fields>(method: string, rest: string, body?: unknown): Promise<Reply<T>> => {
  const local = system.local();
  return sendRequest<T>(local, method, `/api/projects/${local.projectId}/llm_analytics/${rest}`, body);
};

beforeAll(async () => {
  system = await startSystem();
  const local = system.local();
  const replies = await Promise.all(
    recordings.map((recording) => replay(recording, local.captureUrl, local.projectToken)),
  );
  expect(replies.map(({ status }) => status)).toEqual(recordings.map(() => 200));
  const queue = await send('POST', 'review_queues/', { name: 'Recorded' });
  const config = { min: 0, max: 1, step: 0.25 };
  const definition = await send('POST', 'score_definitions/', { name: 'Helpful', kind: 'numeric', config });
  [queueId, definitionId] = [String(queue.body['id']), String(definition.body['id'])];
}, 120_000);

afterAll(() => system?.destroy(), 30_000);

test('every event is stored once, with what it carried', async () => {
  const local = system.local();
  const columns = ['event', ...carried.map((key) => `properties.${key}`)];
  await saveEndpoint(local, 'stored_ai_events', `SELECT uuid, ${columns.join(', ')} FROM events LIMIT 1000`);
  const sent = traces.flatMap(([, events]) =>
    events.map(({ uuid, event, properties }) => [
      uuid,
      event,
      ...carried.map((key) => valueOf(properties[key] ?? null)),
    ]),
  );
  await eventually(async () => {
    const { body } = await run(local, 'stored_ai_events');
    expect(body.results).toHaveLength(sent.length);
    const stored = body.results.map(([uuid, event, ...values]) => [uuid, event, ...values.map(valueOf)]);
    expect(byUuid(stored)).toEqual(byUuid(sent));
  });
}, 30_000);

const carried = ['$ai_trace_id', '$ai_input', '$ai_output_choices', '$ai_error'];

const byUuid = (rows: unknown[][]): Map<unknown, unknown[]> => new Map(rows.map((row) => [row[0], row]));

/** Lists and objects are texts in a result; some are sent as texts. */
function valueOf(value: unknown): unknown {
  return typeof value === 'string' && /^[[{]/.test(value) ? (JSON.parse(value) as unknown) : value;
}

describe.each(traces)('%s', (traceId, events) => {
  test('it reads as the conversation that it was, and is summarized', async () => {
    const { status, body } = await send<{ text_repr: string; summary: Fields; metadata: Fields }>(
      'POST',
      'summarization/',
      {
        trace_id: traceId,
        mode: 'detailed',
      },
    );
    expect([status, body]).toEqual([200, expect.objectContaining({})]);
    const texts = expectedTexts(traceId);
    expect(texts).not.toEqual([]);
    expect(texts.filter((text) => !body.text_repr.includes(text))).toEqual([]);
    expect(body.text_repr).not.toMatch(/;base64,|"type":"(?:function_call|reasoning|input_)/);
    expect(body.metadata).toMatchObject({ model: 'builtin', summarize_type: 'trace' });
    const bullets = body.summary['summary_bullets'] as { text: string; line_refs: string }[];
    expect(bullets.length).toBeGreaterThanOrEqual(5);
    expect(bullets.every(({ line_refs: refs }) => /^\[L\d+(-\d+)?\]$/.test(refs))).toBe(true);
  });

  test('its first generation is summarized by id', async () => {
    const step = events.find(({ event }) => event === '$ai_generation' || event === '$ai_embedding') ?? events[0];
    const { status, body } = await send('POST', 'summarization/', { generation_id: step?.uuid });
    expect([status, body['metadata']]).toEqual([200, expect.objectContaining({ summarize_type: 'event' })]);
  });

  test('it is queued, reviewed, scored and shown', async () => {
    const item = await send('POST', 'review_queue_items/', { queue_id: queueId, trace_id: traceId });
    expect(item.status).toBe(201);
    const scores = [{ definition_id: definitionId, numeric_value: 0.75 }];
    const review = { trace_id: traceId, queue_id: queueId, comment: 'Read', scores };
    expect((await send('POST', 'trace_reviews/', review)).status).toBe(201);

    const reviews = await send('GET', `trace_reviews/?trace_id=${traceId}`);
    const score = { definition_id: definitionId, numeric_value: '0.750000' };
    expect(reviews.body).toMatchObject({
      count: 1,
      results: [{ trace_id: traceId, comment: 'Read', scores: [score] }],
    });
    expect((await send('GET', `review_queue_items/?trace_id=${traceId}`)).body).toMatchObject({ count: 0 });

    const [{ trace_url: url }] = (reviews.body as { results: [{ trace_url: string }] }).results;
    const form = new URLSearchParams({ personal_api_key: system.local().personalApiKey });
    const page = await fetch(url, { method: 'POST', body: form });
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining(traceId)]);
  });
});
