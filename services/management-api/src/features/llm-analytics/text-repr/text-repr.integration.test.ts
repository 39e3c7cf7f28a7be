import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { TextRepr } from './text-repr-schemas.ts';
import type { Reply } from '../../../test/test-request.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';

type Answer = TextRepr & { code?: string; attr?: string | null; detail?: string };

let api: TestApi;
let acme: Seed;
beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
});
afterAll(() => api?.stop());

const path = (base = 'projects') => `/api/${base}/${acme.projectId}/llm_analytics/text_repr`;
const post = async (body: unknown, at = path()) =>
  (await api
    .as(acme.key)
    .send('post', at)
    .send(body as Record<string, unknown>)) as unknown as Reply<Answer>;
const generation = (properties: Record<string, unknown> = { $ai_input: 'Hi', $ai_trace_id: 't1' }) => ({
  event_type: '$ai_generation',
  data: { id: 'g1', event: '$ai_generation', properties },
});
const trace = (given: Record<string, unknown>) => ({ event_type: '$ai_trace', data: { hierarchy: [], ...given } });

describe('a text of posted data (contract/llm-surveys 5.1)', () => {
  test.each([['projects'], ['environments']])('is the reply below /api/%s', async (base) => {
    const { status, body } = await post(generation(), path(base));
    expect(status).toBe(200);
    expect(body).toEqual({
      text: expect.stringContaining('\nHi'),
      metadata: {
        event_type: '$ai_generation',
        event_id: 'g1',
        trace_id: 't1',
        rendering: 'detailed',
        char_count: body.text.length,
        truncated: false,
      },
    });
  });

  test('counts code points, and says when max_length cut', async () => {
    const { body } = await post(generation({ $ai_input: '🙂🙂' }));
    expect(body.metadata.char_count).toBe([...body.text].length);
    const cut = await post({ ...generation({ $ai_input: 'line\n'.repeat(500) }), options: { max_length: 300 } });
    expect(cut.body.metadata.truncated).toBe(true);
  });

  test('is made by the event of the data, and by event_type where that names none', async () => {
    const properties = { $ai_span_name: 'step', $ai_input_state: { a: 1 } };
    const span = await post({ event_type: '$ai_span', data: { id: 's', properties } });
    const named = await post({ event_type: '$ai_generation', data: { id: 's', event: '$ai_span', properties } });
    expect(span.body.text).toContain('STEP');
    expect(named.body.text).toBe(span.body.text);
  });

  test.each([
    [{ properties: { $ai_trace_id: 'a' }, id: 'b' }, 'a', 'a'],
    [{ id: 'b' }, 'b', null],
    [{ trace_id: 7 }, '7', null],
  ])('takes the id of a trace from %j', async (given, eventId, traceId) => {
    const { body } = await post(trace({ trace: given }));
    expect(body.metadata).toMatchObject({ event_id: eventId, trace_id: traceId });
  });

  test('ignores null and unknown options', async () => {
    const options = { max_length: null, include_metadata: true, other: {} };
    expect((await post({ ...generation(), options })).body).toEqual((await post(generation())).body);
    expect((await post({ ...generation(), options: null })).status).toBe(200);
  });

  test('is the same when a thread makes it, and never that of an earlier request', async () => {
    const large = (text: string) => post(generation({ $ai_input: text.repeat(400_000) }));
    const [first, second] = [await large('a'), await large('b')];
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body.text).toContain('aaaa');
    expect(second.body.text).toContain('bbbb');
  });
});

describe('refusals', () => {
  const { data } = generation();
  test.each<[unknown, string, string | null]>([
    [{ data }, 'required', 'event_type'],
    [{ event_type: '$ai_metric', data }, 'invalid_choice', 'event_type'],
    [{ event_type: '$ai_span' }, 'required', 'data'],
    [{ event_type: '$ai_span', data: 'x' }, 'invalid_input', null],
    [{ event_type: '$ai_span', data: [] }, 'invalid_input', null],
    [{ event_type: '$ai_span', data: null }, 'invalid_input', null],
    [{ event_type: '$ai_span', data: { id: 'x' } }, 'invalid_input', null],
    [{ event_type: '$ai_span', data: { id: '', properties: {} } }, 'invalid_input', null],
    [{ event_type: '$ai_span', data: { properties: {} } }, 'invalid_input', null],
    [trace({}), 'invalid_input', null],
    [trace({ trace: {} }), 'invalid_input', null],
    [trace({ trace: { id: 'x' }, hierarchy: {} }), 'invalid_input', null],
    [{ ...generation(), options: { max_length: -1 } }, 'min_value', 'options__max_length'],
    [{ ...generation(), options: { truncate_buffer: -1 } }, 'min_value', 'options__truncate_buffer'],
    [{ ...generation(), options: { max_depth: -1 } }, 'min_value', 'options__max_depth'],
    [{ ...generation(), options: { tools_collapse_threshold: -1 } }, 'min_value', 'options__tools_collapse_threshold'],
    [{ ...generation(), options: { truncated: 'x' } }, 'invalid_input', 'options__truncated'],
  ])('%j is %s', async (body, code, attr) => {
    const { status, body: error } = await post(body);
    expect([status, error]).toEqual([400, { type: 'validation_error', code, detail: expect.any(String), attr }]);
  });

  test('the same is said by a thread', async () => {
    const { status, body } = await post({ event_type: '$ai_span', data: { id: 'x', filler: 'x'.repeat(300_000) } });
    expect([status, body.code, body.attr]).toEqual([400, 'invalid_input', null]);
  });

  test('a key needs llm_analytics:write', async () => {
    const { status } = await api.as('phx_nobody').send('post', path()).send(generation());
    expect(status).toBe(401);
  });
});

describe('hostile bodies', () => {
  const raw = async (body: string, type = 'application/json') =>
    (await api.as(acme.key).send('post', path()).set('content-type', type).send(body)) as unknown as Reply<Answer>;
  const wrap = (inner: string) =>
    `{"event_type":"$ai_span","data":{"id":"x","properties":{"$ai_input_state":${inner}}}}`;

  test.each([
    ['10,000 levels', wrap('['.repeat(10_000) + ']'.repeat(10_000)), 400, 'parse_error'],
    ['a million levels', wrap('['.repeat(1_000_000) + ']'.repeat(1_000_000)), 400, 'parse_error'],
    ['no JSON', '{"a"', 400, 'parse_error'],
    ['a large text that is no JSON', 'x'.repeat(300_000), 400, 'parse_error'],
    ['more than 16 MiB', wrap(`"${'x'.repeat(16_777_216)}"`), 413, 'request_too_large'],
  ])('%s', async (_name, body, status, code) => {
    const { status: got, body: error } = await raw(body);
    expect([got, error.code]).toEqual([status, code]);
    expect(error.detail).toMatch(/\w/);
  });

  test('a form is refused', async () => {
    expect((await raw('event_type=x', 'application/x-www-form-urlencoded')).status).toBe(415);
  });

  test('16 MiB of one line, and a million keys, are texts', async () => {
    const line = await raw(wrap(`"${'x'.repeat(16_777_216 - 200)}"`));
    expect([line.status, line.body.metadata.truncated]).toEqual([200, true]);
    const keys = Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":1`).join(',');
    expect((await raw(wrap(`{${keys}}`))).status).toBe(200);
  }, 60_000);
});
