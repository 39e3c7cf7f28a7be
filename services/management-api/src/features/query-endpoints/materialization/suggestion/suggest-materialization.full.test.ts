import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startFakeChatServer, type ChatScript, type FakeChatServer } from '@millrace/testkit/fake-chat-server.ts';
import { startTestApi, type Seed, type TestApi } from '../../../../test/test-api.ts';

// An author of a refused query gets one that passes the same checks, or learns why there is none (contract/endpoints 6.9).
let model: FakeChatServer;
let api: TestApi;
let alone: TestApi['api'];
let acme: Seed;
let base: string;
let created = 0;

beforeAll(async () => {
  model = await startFakeChatServer();
  api = await startTestApi({
    LLM_BASE_URL: model.url,
    LLM_MODEL: 'scripted',
    LLM_API_KEY: 'secret-of-the-model',
    LLM_TIMEOUT: '3',
    // The tests ask more often than a user.
    LLM_USER_MINUTE_MAX: '1000',
  });
  alone = await api.startProcess({ LLM_BASE_URL: '', LLM_MODEL: '', LLM_API_KEY: '' });
  acme = await api.seed('Acme');
  base = `/api/projects/${acme.projectId}/endpoints`;
  await consent(true);
});
afterAll(async () => {
  await api?.stop();
  await model?.close();
});

const send = (method: 'get' | 'post', path: string, body: object, process = api.api) =>
  api.as(acme.key, process).send<Record<string, unknown>>(method, `${base}${path}`).send(body);

const consent = (approved: boolean | null) =>
  api.prisma.organization.update({
    where: { id: acme.organizationId },
    data: { isAiDataProcessingApproved: approved },
  });

async function create(query: string, values: Readonly<Record<string, unknown>> = { plan: 'pro' }): Promise<string> {
  const name = `suggested-${++created}`;
  const variables = Object.fromEntries(Object.entries(values).map(([id, value]) => [id, { code_name: id, value }]));
  const { status, body } = await send('post', '', { name, query: { kind: 'HogQLQuery', query, variables } });
  expect([status, body]).toEqual([201, expect.anything()]);
  return name;
}

const suggest = async (name: string, process = api.api, body: object = {}) =>
  await send('post', `/${name}/materialization_suggestion`, body, process);

const says = (suggested_query: string | null, explanation = 'because'): ChatScript =>
  JSON.stringify({ suggested_query, explanation });

const having =
  'SELECT properties.plan AS plan, count() AS total FROM events GROUP BY plan HAVING plan = {variables.plan}';
/** No rule changes it: what the person asks for is not equal. */
const other = 'SELECT count() AS total FROM events WHERE event != {variables.plan}';
const otherwise = 'SELECT count() AS total FROM events WHERE event = {variables.plan}';

describe('by fixed rules', () => {
  test('a condition of HAVING on a key moves into WHERE, without a call of the model', async () => {
    model.play();
    const { status, body } = await suggest(await create(having));
    expect([status, body]).toEqual([
      200,
      {
        suggestion_status: 'ok',
        suggested_query: expect.stringMatching(/WHERE .*\{variables\.plan\}/),
        explanation: expect.any(String),
        attempts: 0,
        error: null,
        original_reason: expect.stringContaining('HAVING'),
      },
    ]);
    expect(model.requests).toEqual([]);
    // The caller saves it, and it can be materialized.
    const name = await create(String(body['suggested_query']));
    expect((await send('post', `/${name}/materialization_preview`, {})).body).toMatchObject({ can_materialize: true });
  });

  test('also where no model is configured; what needs one is 503 there', async () => {
    expect((await suggest(await create(having), alone)).body).toMatchObject({ suggestion_status: 'ok' });
    const { status, body } = await suggest(await create(other), alone);
    expect([status, body]).toEqual([503, expect.objectContaining({ error: expect.any(String) })]);
  });
});

describe('by the model', () => {
  test('a query that passes the checks', async () => {
    model.play(says(otherwise, 'turned round'));
    expect((await suggest(await create(other))).body).toEqual({
      suggestion_status: 'ok',
      suggested_query: otherwise,
      explanation: 'turned round',
      attempts: 1,
      error: null,
      original_reason: expect.stringContaining('!='),
    });
    expect(model.requests).toHaveLength(1);
  });

  test.each([
    ['another placeholder', otherwise.replace('.plan', '.team'), 'team'],
    ['another column', otherwise.replace('AS total', 'AS n'), '"total" (integer)'],
    ['what does not compile', otherwise.replace('FROM events', 'FROM evnts'), 'evnts'],
    ['what the rules refuse', `${other} AND 1`, '!='],
    ['no SELECT', 'DROP TABLE events', 'DROP'],
  ])('never %s, however often it says so', async (_name, suggested, problem) => {
    model.play(says(suggested));
    expect((await suggest(await create(other))).body).toMatchObject({
      suggestion_status: 'invalid',
      suggested_query: suggested,
      error: expect.stringContaining(problem),
      attempts: 3,
    });
  });

  test('is told of a suggestion that does not fit a default where that is, and not the default', async () => {
    model.play(says("SELECT JSONExtract(properties, 'a', {variables.plan}) AS total FROM events"), says(null));
    const { body } = await suggest(await create(other, { plan: 'gold-of-acme' }));
    expect(body).toMatchObject({ suggestion_status: 'cannot_fix', attempts: 2 });
    const sent = JSON.stringify(model.requests);
    expect(sent).toContain('not_supported');
    expect(sent).not.toContain('gold-of-acme');
  });

  test('or the news that there is none', async () => {
    model.play(says(null, 'there is none'));
    expect((await suggest(await create(other))).body).toMatchObject({
      suggestion_status: 'cannot_fix',
      suggested_query: null,
      explanation: 'there is none',
      attempts: 1,
    });
  });

  test('that fails is 502, one that is away 503, and no reply names its key', async () => {
    const name = await create(other);
    model.play({ status: 401, body: { error: { message: 'bad key secret-of-the-model' } } });
    const failed = await suggest(name);
    expect([failed.status, failed.body]).toEqual([502, expect.objectContaining({ error: expect.any(String) })]);
    expect(JSON.stringify(failed.body)).not.toContain('secret-of-the-model');
    model.play({ status: 503 });
    expect((await suggest(name)).status).toBe(503);
  });

  test('is asked for one suggestion of an organization at a time', async () => {
    const name = await create(other);
    model.play({ fault: 'hang' });
    const waiting = suggest(name).then((response) => response);
    await eventually(() => expect(model.requests).toHaveLength(1), { deadlineMs: 10_000 });
    const { status, headers } = await suggest(name);
    expect([status, headers['retry-after']]).toEqual([429, '5']);
    expect((await waiting).status).toBe(503);
    model.play(says(null));
    expect((await suggest(name)).status).toBe(200);
  });
});

describe('by the model, when it is busy for the project', () => {
  test('is 429; fixed rules need no slot of it (contract/decisions 72)', async () => {
    const [name, free] = [await create(other), await create(having)];
    model.play({ fault: 'hang' });
    const translations = ['a', 'b'].map((text) =>
      api
        .as(acme.key)
        .send('post', `/api/projects/${acme.projectId}/llm_analytics/translate`)
        .send({ text })
        .then(({ status }) => status),
    );
    await eventually(() => expect(model.requests).toHaveLength(2), { deadlineMs: 10_000 });
    const { status, body, headers } = await suggest(name);
    expect([status, body['code'], headers['retry-after']]).toEqual([429, 'throttled', '5']);
    expect((await suggest(free)).body).toMatchObject({ suggestion_status: 'ok', attempts: 0 });
    expect(await Promise.all(translations)).toEqual([504, 504]);
  });
});

describe('by the model, too often', () => {
  test('is 429 with the time to wait, for all keys of the user together; fixed rules stay free', async () => {
    const few = await api.startProcess({ LLM_USER_MINUTE_MAX: '2' });
    const [name, free] = [await create(other), await create(having)];
    const { key } = await api.admin.createKey({ email: acme.email, scopes: ['endpoint:read'] });
    const asked = async (by: string, endpoint: string) =>
      await api
        .as(by, few)
        .send<Record<string, unknown>>('post', `${base}/${endpoint}/materialization_suggestion`)
        .send({});
    model.play(says(null));
    for (const by of [acme.key, key]) expect((await asked(by, name)).status).toBe(200);
    const calls = model.requests.length;
    for (const by of [acme.key, key]) {
      const { status, body, headers } = await asked(by, name);
      expect([status, body]).toMatchObject([429, { type: 'throttled_error', code: 'throttled' }]);
      expect(Number(headers['retry-after'])).toBeGreaterThan(50);
    }
    expect(model.requests).toHaveLength(calls);
    expect((await asked(key, free)).body).toMatchObject({ suggestion_status: 'ok', attempts: 0 });
  });

  test('is counted for the day too', async () => {
    const few = await api.startProcess({ LLM_USER_DAY_MAX: '1' });
    const name = await create(other);
    model.play(says(null));
    expect((await suggest(name, few)).status).toBe(200);
    const { status, headers } = await suggest(name, few);
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(86_000);
  });
});

describe('is refused', () => {
  test('without the consent of the organization: 403 before everything else', async () => {
    const name = await create(other);
    for (const approved of [false, null]) {
      await consent(approved);
      const { status, body } = await suggest(name, api.api, { version: 9 });
      expect([status, body]).toEqual([
        403,
        expect.objectContaining({ error: expect.stringContaining('is_ai_data_processing_approved') }),
      ]);
    }
    await consent(null);
    expect((await suggest(await create(having), alone)).status).toBe(200);
    await consent(true);
  });

  test('of an unknown version: 404; of a query that can be materialized: 400', async () => {
    const name = await create('SELECT 1', {});
    expect((await suggest(name, api.api, { version: 9 })).status).toBe(404);
    const { status, body } = await suggest(name);
    expect([status, body]).toEqual([400, expect.objectContaining({ error: expect.stringContaining('as it is') })]);
  });
});
