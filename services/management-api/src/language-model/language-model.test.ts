import { inspect } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Object as ObjectType, String as StringType } from 'typebox';
import { AppError } from '@millrace/http/errors/errors.ts';
import { nullable } from '@millrace/http/nullable.ts';
import { readConfig } from '@millrace/runtime/config.ts';
import { createLogger } from '@millrace/runtime/logs/logger.ts';
import { eventually } from '@millrace/runtime/testing/eventually.ts';
import { startFakeChatServer, type ChatScript, type FakeChatServer } from '@millrace/testkit/fake-chat-server.ts';
import { responseBytesMax } from './bounded-fetch.ts';
import { createLanguageModel } from './create-language-model.ts';
import { LanguageModelError, type LanguageModel } from './language-model.ts';
import { languageModelSettings } from './language-model-settings.ts';

const key = 'sk-hush-hush-4711';
/** A user without a budget. */
const spender = 13;
const user = { projectId: 1, userId: 7 };
const prompt = { system: 'rules of the house', user: 'text of a user' };
const schema = ObjectType({ suggestion: nullable(StringType()), explanation: StringType() });
const right = { suggestion: 'SELECT 1', explanation: 'shorter' };
const refusal = { error: { message: "Invalid parameter: 'response_format' of type 'json_schema'", code: null } };
/** A long wait: whoever depends on it has failed. */
const patientMs = 30_000;

let server: FakeChatServer;
let lines: string[];
let calls: string[];
/** Users whose budget was asked. */
let budgets: number[];
beforeAll(async () => {
  server = await startFakeChatServer();
});
afterAll(() => server.close());
beforeEach(() => {
  lines = [];
  calls = [];
  budgets = [];
});

function modelOf(environment: Record<string, string> = {}): LanguageModel {
  const config = readConfig(languageModelSettings, {
    LLM_BASE_URL: server.url,
    LLM_API_KEY: key,
    LLM_MODEL: 'small-1',
    ...environment,
  });
  const logger = createLogger('test', 'trace', { destination: { write: (line) => void lines.push(line) } });
  const budget = {
    take(userId: number) {
      budgets.push(userId);
      return userId === spender ? Promise.reject(new AppError('throttled', { retryAfterS: 60 })) : Promise.resolve();
    },
  };
  return createLanguageModel(config, { logger, budget, onCall: (outcome) => void calls.push(outcome) });
}

const ask = (model: LanguageModel, { signal = new AbortController().signal, timeoutMs = patientMs } = {}) =>
  model.task(user, (reply) => reply({ ...prompt, schema, signal, timeoutMs }));

/** The error of a call to a server that plays these scripts, and what must be true of every error. */
async function errorOf(scripts: readonly ChatScript[], options: Parameters<typeof ask>[1] = {}): Promise<unknown> {
  server.play(...scripts);
  const error: unknown = await ask(modelOf(), options).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(LanguageModelError);
  const { kind } = error as LanguageModelError;
  expect(calls).toEqual([kind]);
  expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
    expect.objectContaining({
      level: 'warn',
      msg: 'language model called',
      outcome: kind,
      systemChars: 18,
      userChars: 14,
    }),
  ]);
  expect(`${lines.join()} ${inspect(error, { depth: null, showHidden: true })}`).not.toMatch(
    /hush|a user|the house|echo/,
  );
  return error;
}

describe('a reply', () => {
  test('is one object of the schema; the request has key, model, both messages and the strict schema', async () => {
    server.play(JSON.stringify(right));
    expect(await ask(modelOf())).toEqual({ ok: true, value: right });
    const [request, ...others] = server.requests;
    expect(others).toEqual([]);
    expect(request).toMatchObject({
      path: '/v1/chat/completions',
      headers: { authorization: `Bearer ${key}` },
      body: {
        model: 'small-1',
        messages: [
          { role: 'system', content: prompt.system },
          { role: 'user', content: prompt.user },
        ],
        response_format: {
          type: 'json_schema',
          json_schema: {
            strict: true,
            schema: { additionalProperties: false, required: ['suggestion', 'explanation'] },
          },
        },
      },
    });
  });

  test('leaves one log line of sizes and time, without texts and key', async () => {
    server.play(JSON.stringify(right));
    await ask(modelOf());
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      {
        level: 'info',
        service: 'test',
        time: expect.any(String),
        msg: 'language model called',
        outcome: 'ok',
        format: 'json_schema',
        systemChars: 18,
        userChars: 14,
        replyChars: JSON.stringify(right).length,
        promptTokens: 21,
        completionTokens: 7,
        durationMs: expect.any(Number),
      },
    ]);
    expect(lines.join()).not.toMatch(/hush|a user|the house|SELECT|shorter/);
    expect(calls).toEqual(['ok']);
  });

  test('tells the server nothing about this machine', async () => {
    server.play(JSON.stringify(right));
    await ask(modelOf());
    expect(Object.keys(server.requests[0]?.headers ?? {}).filter((name) => name.startsWith('x-'))).toEqual([]);
    expect(server.requests[0]?.headers['user-agent']).toMatch(/^millrace\//);
  });

  test('needs no key where the server wants none', async () => {
    server.play(JSON.stringify(right));
    expect(await ask(modelOf({ LLM_API_KEY: '' }))).toEqual({ ok: true, value: right });
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization');
  });

  test('may hold null where the schema has it, and more fields, which are removed', async () => {
    server.play(JSON.stringify({ ...right, suggestion: null, mood: 'good' }));
    expect(await ask(modelOf())).toEqual({ ok: true, value: { ...right, suggestion: null } });
  });

  test('may be fenced, as servers without formats let models write it', async () => {
    server.play(`\`\`\`json\n${JSON.stringify(right)}\n\`\`\`\n`);
    expect(await ask(modelOf())).toEqual({ ok: true, value: right });
  });

  test.each([
    ['no JSON', 'Sure! {"suggestion"', 'The reply was no JSON.'],
    ['JSON that is cut off', '{"suggestion": "SEL', 'The reply was no JSON.'],
    ['a list', '[]', 'The reply was not one JSON object.'],
    ['null', 'null', 'The reply was not one JSON object.'],
    ['a missing field', '{"suggestion": null}', 'The field explanation of the reply was missing, or had another form.'],
    [
      'a field of another type',
      '{"suggestion": 4, "explanation": ""}',
      'The field suggestion of the reply was missing, or had another form.',
    ],
  ])('that is %s is unusable, in one request, and its text is in no log', async (_, content, problem) => {
    server.play(content);
    expect(await ask(modelOf())).toEqual({ ok: false, problem });
    expect(server.requests).toHaveLength(1);
    expect(calls).toEqual(['unusable']);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: 'info', outcome: 'unusable', replyChars: content.length }),
    ]);
    expect(lines.join()).not.toContain('SEL');
  });
});

describe('a server that refuses a schema', () => {
  test.each<ChatScript>([
    { status: 400, body: refusal },
    { status: 422, body: { detail: [{ loc: ['body', 'response_format'], msg: 'unknown' }] } },
    { status: 400, body: 'json_schema is not supported' },
  ])('is asked for any JSON object, with the schema in words, now and from then on (%j)', async (refused) => {
    server.play(refused, JSON.stringify(right));
    const model = modelOf();
    expect([await ask(model), await ask(model)]).toEqual([
      { ok: true, value: right },
      { ok: true, value: right },
    ]);
    expect(server.requests.map(({ body }) => body.response_format.type)).toEqual([
      'json_schema',
      'json_object',
      'json_object',
    ]);
    const [system, user] = server.requests[1]?.body.messages ?? [];
    expect(system?.content).toMatch(/^rules of the house\n\n.*JSON schema.*\n\{.*"suggestion".*\}$/);
    expect(user?.content).toBe(prompt.user);
    expect(calls).toEqual(['ok', 'ok']);
  });

  test('and the object too is not remembered: a schema is tried again', async () => {
    server.play({ status: 400, body: refusal }, { status: 400, body: refusal }, JSON.stringify(right));
    const model = modelOf();
    await expect(ask(model)).rejects.toThrow('answered 400');
    expect(await ask(model)).toEqual({ ok: true, value: right });
    expect(server.requests.map(({ body }) => body.response_format.type)).toEqual([
      'json_schema',
      'json_object',
      'json_schema',
    ]);
  });
});

describe('no reply', () => {
  const echo = { error: { message: `echo of text of a user, and of ${key}`, code: 'invalid_api_key' } };

  test.each<[string, ChatScript, number]>([
    ['400', { status: 400, body: echo }, 1],
    ['401', { status: 401, body: echo }, 1],
    ['403', { status: 403, body: 'echo' }, 1],
    ['404', { status: 404, body: echo }, 1],
    ['429', { status: 429, headers: { 'retry-after': '0.01' }, body: echo }, 2],
    ['500', { status: 500, headers: { 'retry-after-ms': '1' }, body: echo }, 2],
  ])('a server that answers %s has failed', async (status, script, requests) => {
    expect(await errorOf([script])).toMatchObject({
      kind: 'failed',
      message: `The server of the language model answered ${status}.`,
    });
    expect(server.requests).toHaveLength(requests);
  });

  test.each([502, 503, 504])('a gateway that answers %d is one whose server cannot be reached', async (status) => {
    expect(await errorOf([{ status, headers: { 'retry-after-ms': '1' }, body: echo }])).toMatchObject({
      kind: 'unreachable',
    });
    expect(server.requests).toHaveLength(2);
  });

  test('a status that passes is tried once more, as late as the server asks', async () => {
    server.play({ status: 429, headers: { 'retry-after': '0.01' }, body: echo }, JSON.stringify(right));
    expect(await ask(modelOf())).toEqual({ ok: true, value: right });
    expect(server.requests).toHaveLength(2);
    expect(calls).toEqual(['ok']);
  });

  test('a redirect is not followed: texts and key go to the address that was set', async () => {
    const script = { status: 307, headers: { location: `${server.url}/elsewhere` } };
    expect(await errorOf([script])).toMatchObject({ kind: 'failed', message: expect.stringContaining('307') });
    expect(server.requests).toHaveLength(1);
  });

  test.each<[string, ChatScript]>([
    ['JSON of another kind', { status: 200, body: { echo: true } }],
    ['a page', { status: 200, headers: { 'content-type': 'text/html' }, body: '<p>echo</p>' }],
    ['broken JSON', { status: 200, headers: { 'content-type': 'application/json' }, body: '{"echo' }],
    ['no body', { status: 200, headers: { 'content-type': 'application/json' }, body: '' }],
    ['no choice', { status: 200, body: { choices: [], echo: true } }],
    ['an empty text', { message: { content: '' } }],
    ['no text', { message: { content: null } }],
    ['a refusal', { message: { content: null, refusal: 'echo: I cannot help with that' } }],
    ['a filter', { message: { content: '{"echo' }, finishReason: 'content_filter' }],
    ['a connection that is cut in the body', { fault: 'cut in body' }],
    ['an answer without end', { fault: 'huge' }],
  ])('%s is a failure, and is not tried again', async (_, script) => {
    expect(await errorOf([script])).toMatchObject({ kind: 'failed' });
    expect(server.requests).toHaveLength(1);
  });

  test('a connection that is cut before the answer is tried once more', async () => {
    expect(await errorOf([{ fault: 'cut' }])).toMatchObject({ kind: 'failed' });
    expect(server.requests).toHaveLength(2);
    server.play({ fault: 'cut' }, JSON.stringify(right));
    expect(await ask(modelOf())).toEqual({ ok: true, value: right });
  });

  test.each(['hang', 'slow'] as const)(
    'a server that is %s ends at the deadline, and is not tried again',
    async (fault) => {
      expect(await errorOf([{ fault }], { timeoutMs: 300 })).toMatchObject({
        kind: 'unreachable',
        timedOut: true,
        message: 'The language model gave no whole reply within 0.3 s.',
      });
      expect(server.requests).toHaveLength(1);
    },
  );

  test('LLM_TIMEOUT is the longest wait, whatever a caller would wait', async () => {
    server.play({ fault: 'hang' });
    await expect(ask(modelOf({ LLM_TIMEOUT: '1' }))).rejects.toThrow('within 1 s');
  });

  test('the deadline covers the second try and its pause', async () => {
    server.play({ status: 429, headers: { 'retry-after': '50' }, body: echo });
    await expect(ask(modelOf(), { timeoutMs: 300 })).rejects.toMatchObject({ kind: 'unreachable' });
    expect(server.requests).toHaveLength(1);
  });

  test('a server that is away, and a name that is unknown, cannot be reached', async () => {
    const away = await startFakeChatServer();
    await away.close();
    await expect(ask(modelOf({ LLM_BASE_URL: away.url }))).rejects.toMatchObject({
      kind: 'unreachable',
      message: 'The server of the language model cannot be reached (ECONNREFUSED).',
    });
    await expect(ask(modelOf({ LLM_BASE_URL: 'http://model.invalid/v1' }))).rejects.toMatchObject({
      kind: 'unreachable',
    });
  });
});

describe('a caller who leaves', () => {
  test.each(['hang', 'slow'] as const)('ends the call (%s), with the reason of the abort', async (fault) => {
    server.play({ fault });
    const gone = new AbortController();
    const asking = ask(modelOf(), { signal: gone.signal }).catch((reason: unknown) => reason);
    await eventually(() => expect(server.requests).toHaveLength(1));
    const reason = new Error('the client went away');
    gone.abort(reason);
    expect(await asking).toBe(reason);
    expect(calls).toEqual(['aborted']);
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ level: 'info', outcome: 'aborted' }),
    ]);
  });

  test('before the call causes none', async () => {
    server.play(JSON.stringify(right));
    const reason = new Error('the client went away');
    await expect(ask(modelOf(), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(server.requests).toEqual([]);
  });
});

describe('tasks', () => {
  test('of a project have two slots; one that finds none is not counted, and asks nothing (contract/decisions 72)', async () => {
    const model = modelOf();
    const ends: (() => void)[] = [];
    const hold = () => model.task(user, () => new Promise<void>((resolve) => ends.push(resolve)));
    const held = [hold(), hold()];
    await eventually(() => expect(ends).toHaveLength(2));
    await expect(ask(model)).rejects.toMatchObject({ code: 'throttled', details: { retryAfterS: 5 } });
    expect([budgets, server.requests]).toEqual([[7, 7], []]);
    for (const end of ends) end();
    await Promise.all(held);
    server.play(JSON.stringify(right));
    expect(await ask(model)).toEqual({ ok: true, value: right });
  });

  test('ask several times, and are one of the budget', async () => {
    server.play(JSON.stringify(right));
    const signal = new AbortController().signal;
    await modelOf().task(user, async (reply) => {
      await reply({ ...prompt, schema, signal });
      await reply({ ...prompt, schema, signal });
    });
    expect([calls, budgets]).toEqual([['ok', 'ok'], [7]]);
  });

  test('beyond the budget are not begun, and hold no slot', async () => {
    const model = modelOf();
    for (let time = 0; time < 3; time += 1)
      await expect(model.task({ ...user, userId: spender }, () => Promise.resolve())).rejects.toMatchObject({
        details: { retryAfterS: 60 },
      });
  });
});

describe('without an address or a model', () => {
  test.each([{ LLM_BASE_URL: '' }, { LLM_MODEL: '' }])(
    'there is none (%j), and a call says which settings name one',
    async (unset) => {
      const model = modelOf(unset);
      expect(model.isConfigured).toBe(false);
      await expect(ask(model)).rejects.toMatchObject({
        kind: 'not_configured',
        message: expect.stringMatching(/LLM_BASE_URL and LLM_MODEL/),
      });
      expect([calls, lines, budgets]).toEqual([[], [], []]);
    },
  );
});

describe('settings', () => {
  const errorsOf = (environment: Record<string, string>): string => {
    try {
      readConfig(languageModelSettings, environment);
      return '';
    } catch (error) {
      return String(error);
    }
  };

  test.each([
    ['LLM_BASE_URL', 'ftp://host/v1'],
    ['LLM_BASE_URL', 'https://ann:hush@host/v1'],
    ['LLM_BASE_URL', 'https://host/v1?key=hush'],
    ['LLM_API_KEY', 'hush\nhush'],
    ['LLM_API_KEY', 'hüsh'],
    ['LLM_TIMEOUT', '0'],
  ])('%s may not be %j, and the error does not repeat a secret', (variable, value) => {
    expect(errorsOf({ [variable]: value })).toContain(`${variable} must`);
    expect(errorsOf({ [variable]: value })).not.toMatch(/hush|hüsh/);
  });

  test('the largest response is far above a reply', () => expect(responseBytesMax).toBeGreaterThan(1_000_000));
});
