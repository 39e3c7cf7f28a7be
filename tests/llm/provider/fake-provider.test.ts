import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startFakeProvider, type FakeProvider } from './fake-provider.ts';

let provider: FakeProvider;
beforeAll(async () => {
  provider = await startFakeProvider();
});
afterAll(() => provider?.close());

const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const question = { role: 'user', content: 'Weather?' };
const result = '21 °C';
const called = { id: 'c', type: 'function', function: { name: 'get_weather', arguments: '{}' } };
const used = { type: 'tool_use', id: 'c', name: 'get_weather', input: {} };

/** Each interface has a question with a tool, the same with the result of the call, and where the texts of a stream stand. */
const surfaces = [
  {
    path: '/v1/chat/completions',
    asked: { messages: [question], tools: [{ type: 'function', function: { name: 'get_weather', parameters } }] },
    answered: {
      messages: [
        question,
        { role: 'assistant', tool_calls: [called] },
        { role: 'tool', tool_call_id: 'c', content: result },
      ],
    },
    last: '[DONE]',
  },
  {
    path: '/v1/responses',
    asked: { input: [question], tools: [{ type: 'function', name: 'get_weather', parameters }] },
    answered: {
      input: [
        question,
        { type: 'function_call', name: 'get_weather' },
        { type: 'function_call_output', output: result },
      ],
    },
    last: '"type":"response.completed"',
  },
  {
    path: '/v1/messages',
    asked: { messages: [question], tools: [{ name: 'get_weather', input_schema: parameters }] },
    answered: {
      messages: [
        question,
        { role: 'assistant', content: [used] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: result }] },
      ],
    },
    last: '"type":"message_stop"',
  },
];

describe.each(surfaces)('$path', ({ path, asked, answered, last }) => {
  const ask = async (body: object): Promise<{ status: number; text: string }> => {
    const reply = await fetch(provider.url + path, { method: 'POST', body: JSON.stringify({ model: 'm', ...body }) });
    return { status: reply.status, text: await reply.text() };
  };

  test('it calls the tool, and answers in words when it has the result', async () => {
    expect(await ask(asked)).toMatchObject({ status: 200, text: expect.stringMatching(/get_weather.*Zürich/) });
    const { text } = await ask({ ...asked, ...answered });
    expect(text).toContain(`Going by this: ${result}`);
  });

  test('it streams', async () => {
    const { text } = await ask({ ...asked, ...answered, stream: true });
    const lines = text.trim().split('\n\n');
    expect(lines.length).toBeGreaterThan(4);
    expect(lines.at(-1)).toContain(last);
    expect(text).toContain('Going by thi');
    expect((await ask({ ...asked, stream: true })).text).toContain('get_weather');
  });

  test('models with names of faults refuse, or break off a stream', async () => {
    expect(await ask({ ...asked, model: 'fails-429' })).toMatchObject({
      status: 429,
      text: expect.stringContaining('The model says no: 429'),
    });
    await expect(ask({ ...asked, ...answered, model: 'breaks-off', stream: true })).rejects.toThrow();
  });
});
