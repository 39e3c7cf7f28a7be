import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { systemClock } from '@millrace/runtime/clock.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import type { RunPrepared } from '../../../database/prepared-statements.ts';
import { startTestApi, type Seed, type TestApi } from '../../../test/test-api.ts';
import { claimSummary, releaseClaim, renewClaim, storeSummary } from './store/summary-store.ts';
import { createSummarySweep } from './store/sweep-summaries.ts';
import { eventOf, newId, traceOf, type Answer } from './testing/summary-data.ts';

// Summaries of data that a request brings, without a language model (contract/llm-surveys 6).
let api: TestApi;
let acme: Seed;
let other: Seed;

beforeAll(async () => {
  api = await startTestApi();
  acme = await api.seed('Acme');
  other = await api.seed('Other');
});
afterAll(() => api?.stop());
beforeEach(() => consent(true));

const consent = (approved: boolean | null) =>
  api.prisma.organization.updateMany({ data: { isAiDataProcessingApproved: approved } });

interface Where {
  base?: string;
  seed?: Seed;
}
const path = (base = 'projects', seed = acme) => `/api/${base}/${seed.projectId}/llm_analytics/summarization`;
const post = async (body: object, { base, seed = acme }: Where = {}) =>
  await api.as(seed.key).send<Answer>('post', path(base, seed)).send(body);
const titlesOf = async (ids: unknown, more: object = {}, seed = acme) => {
  const reply = await api
    .as(seed.key)
    .send<{ summaries: object[]; code?: string; attr?: string; detail?: string }>(
      'post',
      `${path('projects', seed)}/batch_check/`,
    )
    .send({ trace_ids: ids, ...more });
  return { status: reply.status, body: reply.body };
};

describe('data of a request (contract/llm-surveys 6.1)', () => {
  test.each(['projects', 'environments'])(
    'an event has a summary below /api/%s, whose lines are those of its text',
    async (base) => {
      const { status, body } = await post(eventOf(), { base });
      expect(status).toBe(200);
      expect(body).toEqual({
        summary: {
          title: 'How is the weather in Oslo?',
          flow_diagram: expect.stringMatching(/^flowchart TD\n/),
          summary_bullets: expect.any(Array),
          interesting_notes: [],
        },
        text_repr: expect.stringContaining('How is the weather in Oslo?'),
        metadata: {
          text_repr_length: [...body.text_repr].length,
          model: 'builtin',
          summarize_type: 'event',
          mode: 'minimal',
        },
      });
      const lines = body.text_repr.split('\n');
      const asked = body.summary.summary_bullets.find(({ text }) => text.startsWith('The user writes'));
      expect(lines[Number(/\d+/.exec(asked?.line_refs ?? '')?.[0]) - 1]).toMatch(/How is the weather in Oslo\?$/);
    },
  );

  test.each<[object, string | null, string, RegExp]>([
    [{}, null, 'invalid_input', /^Provide either 'data' or a trace_id\/generation_id\.$/],
    [{ data: null }, null, 'invalid_input', /^Provide either/],
    [{ data: {}, trace_id: 'x' }, null, 'invalid_input', /not both/],
    [{ generation_id: 'x', trace_id: 'x' }, null, 'invalid_input', /not both/],
    [{ data: {} }, null, 'invalid_input', /summarize_type is required/],
    [{ data: [], summarize_type: 'event' }, null, 'invalid_input', /Invalid data format/],
    [{ data: { trace: { id: 'x' } }, summarize_type: 'trace' }, null, 'invalid_input', /hierarchy/],
    [{ data: { trace: {}, hierarchy: [] }, summarize_type: 'trace' }, null, 'invalid_input', /id/],
    [{ data: { event: {} }, summarize_type: 'event' }, null, 'invalid_input', /id/],
    [{ data: { event: { id: 'x'.repeat(256) } }, summarize_type: 'event' }, null, 'invalid_input', /255/],
    [{ ...eventOf('x'), mode: 'long' }, 'mode', 'invalid_choice', /long/],
    [{ ...eventOf('x'), force_refresh: 'maybe' }, 'force_refresh', 'invalid_input', /boolean/],
    [{ ...eventOf('x'), model: 'm'.repeat(256) }, 'model', 'max_length', /255/],
  ])('%j is a 400', async (given, attr, code, detail) => {
    const { status, body } = await post(given);
    expect([status, body.attr, body.code]).toEqual([400, attr, code]);
    expect(body.detail).toMatch(detail);
  });

  test('a refused consent is told before the body is looked at, by both routes', async () => {
    await consent(false);
    for (const { status, body } of [await post({}), await titlesOf(7)]) {
      expect([status, body.code]).toEqual([403, 'permission_denied']);
      expect(body.detail).toMatch(
        /^AI data processing must be approved by your organization before using summarization/,
      );
    }
  });

  test('a body of more than 1 MiB is taken, and is like a small one', async () => {
    const id = newId();
    const { status, body } = await post(eventOf(id, 'line\n'.repeat(300_000)));
    expect([status, body.summary.title, body.metadata['text_repr_length']]).toEqual([
      200,
      'line line line line line line line line line line',
      [...body.text_repr].length,
    ]);
    expect((await post(eventOf(id))).body.summary).toEqual(body.summary);
    expect((await post({ data: 'x'.repeat(300_000), summarize_type: 'trace' })).body.detail).toBe(
      'Invalid data format',
    );
  });

  test('large data whose summary is stored is not rendered', async () => {
    const id = newId();
    // Indentation makes 152 million characters of it.
    const state = JSON.parse(`${'{"a":'.repeat(190)}[${'1,'.repeat(399_999)}1]${'}'.repeat(190)}`) as object;
    const event = { id, event: '$ai_span', properties: { $ai_input_state: state } };
    const large = { summarize_type: 'event', data: { event } };
    expect((await post(large)).status).toBe(413);
    const { body } = await post(eventOf(id));
    expect((await post(large)).body).toEqual(body);
  });
});

describe('stored summaries (contract/llm-surveys 6.5)', () => {
  test('one is replied until it ends, whatever the data is then, unless a new one is asked for', async () => {
    const id = newId();
    const first = await post(traceOf(id, 'First title'));
    expect(first.body.summary.title).toBe('First title');
    expect((await post(traceOf(id, 'Second title'))).body).toEqual(first.body);
    expect((await post({ ...traceOf(id, 'Third title'), force_refresh: true })).body.summary.title).toBe('Third title');
    expect((await post(traceOf(id, 'Fourth title'))).body.summary.title).toBe('Third title');
    await api.prisma.traceSummary.updateMany({ where: { entityId: id }, data: { expiresAt: new Date(0) } });
    expect((await titlesOf([id])).body).toEqual({ summaries: [] });
    expect((await post(traceOf(id, 'Fifth title'))).body.summary.title).toBe('Fifth title');
  });

  test('it ends after an hour', async () => {
    const id = newId();
    await post(traceOf(id));
    const { expiresAt, computedAt } = await api.prisma.traceSummary.findFirstOrThrow({ where: { entityId: id } });
    expect(expiresAt.getTime() - (computedAt?.getTime() ?? 0)).toBe(3_600_000);
  });

  test('another mode, model, type or project has another one; 7 and "7" are one id', async () => {
    const id = String(7_000_000);
    await post(traceOf(id, 'Minimal'));
    expect((await post({ ...traceOf(id, 'Detailed'), mode: 'detailed' })).body.summary.title).toBe('Detailed');
    expect((await post({ ...traceOf(id, 'Named'), model: 'gpt-4o' })).body.summary.title).toBe('Named');
    expect((await post(eventOf(id))).body.summary.title).toBe('How is the weather in Oslo?');
    expect((await post(traceOf(id, 'Of others'), { seed: other })).body.summary.title).toBe('Of others');
    expect((await post({ ...traceOf(id, 'Blank'), model: ' ' })).body.summary.title).toBe('Minimal');
    const numbered = { ...traceOf(id), data: { trace: { id: Number(id) }, hierarchy: [] } };
    expect((await post(numbered)).body.summary.title).toBe('Minimal');
  });

  test('those that are there are listed in the order of the request', async () => {
    const [one, two, event] = [newId(), newId(), newId()];
    await post(traceOf(one, 'One'));
    await post(traceOf(two, 'Two'));
    await post(eventOf(event));
    const asked = [two, 'unknown', event, ` ${two}`, one];
    expect((await titlesOf(asked)).body).toEqual({
      summaries: [
        { trace_id: two, title: 'Two', cached: true },
        { trace_id: one, title: 'One', cached: true },
      ],
    });
    expect((await titlesOf(asked, { mode: 'detailed' })).body).toEqual({ summaries: [] });
    expect((await titlesOf(asked, { model: 'gpt-4o' })).body).toEqual({ summaries: [] });
    expect((await titlesOf(asked, {}, other)).body).toEqual({ summaries: [] });
    expect((await titlesOf([])).body).toEqual({ summaries: [] });
  });

  test.each<[unknown, string]>([
    [undefined, 'required'],
    ['x', 'not_a_list'],
    [[' '], 'blank'],
    [[null], 'null'],
    [Array.from({ length: 101 }, String), 'max_length'],
  ])('the ids %j are a 400 of the list', async (ids, code) => {
    const { status, body } = await titlesOf(ids);
    expect([status, body.attr, body.code]).toEqual([400, 'trace_ids', code]);
  });

  test('a request that has lost its claim neither stores nor prolongs nor gives back', async () => {
    const { prisma } = api;
    const key = { projectId: acme.projectId, type: 'trace', id: newId(), mode: 'minimal', model: null } as const;
    const [lost, claim] = [randomUUID(), randomUUID()];
    const row = { entityId: key.id };
    expect([await claimSummary(prisma, key, lost), await claimSummary(prisma, key, claim)]).toEqual([true, false]);
    await prisma.traceSummary.updateMany({ where: row, data: { claimedUntil: new Date(0) } });
    expect(await claimSummary(prisma, key, claim)).toBe(true);
    const before = await prisma.traceSummary.findFirstOrThrow({ where: row });
    const run: RunPrepared = (_name, statement) => prisma.$queryRaw(statement);
    await storeSummary(run, key, { claim: lost, title: 'Lost', reply: Buffer.from('{}'), computedAt: new Date() });
    await renewClaim(prisma, key, lost);
    await releaseClaim(prisma, key, lost);
    expect(await prisma.traceSummary.findFirstOrThrow({ where: row })).toEqual(before);
    await renewClaim(prisma, key, claim);
    const renewed = await prisma.traceSummary.findFirstOrThrow({ where: row });
    expect(renewed.claimedUntil?.getTime()).toBeGreaterThan(before.claimedUntil?.getTime() ?? Infinity);
    await releaseClaim(prisma, key, claim);
    expect(await claimSummary(prisma, key, lost)).toBe(true);
  });

  test('ended ones are deleted by themselves, others stay', async () => {
    const [id, live] = [newId(), newId()];
    await post(traceOf(id));
    await post(traceOf(live));
    await api.prisma.traceSummary.updateMany({ where: { entityId: id }, data: { expiresAt: new Date(0) } });
    const { prisma } = api;
    const sweep = createSummarySweep({ prisma, clock: systemClock, logger: createLogger('test', 'warn'), everyMs: 10 });
    await sweep.start?.();
    const count = async (entityId: string) => await prisma.traceSummary.count({ where: { entityId } });
    await eventually(async () => expect(await count(id)).toBe(0));
    await sweep.stop?.();
    expect(await count(live)).toBe(1);
  });
});
