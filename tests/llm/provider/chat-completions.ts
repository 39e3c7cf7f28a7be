import { isObject, objectsOf, textOf, type Answer, type Json, type Question } from './question.ts';

/** A body of `POST /v1/chat/completions`. */
export function readChat(body: Json): Question {
  const messages = objectsOf(body['messages']);
  const last = messages.findLastIndex(({ role }) => role === 'user');
  const since = messages.slice(last + 1);
  const content = messages[last]?.['content'];
  const parts = objectsOf(content);
  return {
    model: textOf(body['model']),
    stream: body['stream'] === true,
    text: typeof content === 'string' ? content : parts.map(({ text }) => textOf(text)).join(''),
    pictures: parts.filter(({ type }) => type === 'image_url').length,
    tools: objectsOf(body['tools']).map(({ function: tool }) => {
      const { name, parameters } = tool as Json;
      return { name: textOf(name), schema: isObject(parameters) ? parameters : {} };
    }),
    called: since.flatMap(({ tool_calls: calls }) =>
      objectsOf(calls).map(({ function: call }) => textOf((call as Json)['name'])),
    ),
    results: since.filter(({ role }) => role === 'tool').map((message) => textOf(message['content'])),
    thinks: false,
  };
}

export function chatBody(model: string, answer: Answer): Json {
  const message = {
    role: 'assistant',
    content: answer.text,
    refusal: null,
    ...(answer.calls.length > 0 ? { tool_calls: callsOf(answer) } : {}),
  };
  return {
    ...head('chat.completion', model),
    choices: [{ index: 0, message, finish_reason: reasonOf(answer) }],
    usage: usageOf(answer),
  };
}

/** The same in pieces; the last one bears the usage. */
export function chatChunks(model: string, answer: Answer): Json[] {
  const chunk = (delta: Json, finish: string | null = null): Json => ({
    ...head('chat.completion.chunk', model),
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const pieces = (answer.text ?? '').match(/[\s\S]{1,12}/gu) ?? [];
  const calls = callsOf(answer).flatMap(({ id, function: call }, index) => [
    chunk({ tool_calls: [{ index, id, type: 'function', function: { name: call.name, arguments: '' } }] }),
    chunk({ tool_calls: [{ index, function: { arguments: call.arguments.slice(0, 8) } }] }),
    chunk({ tool_calls: [{ index, function: { arguments: call.arguments.slice(8) } }] }),
  ]);
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces.map((content) => chunk({ content })),
    ...calls,
    chunk({}, reasonOf(answer)),
    { ...head('chat.completion.chunk', model), choices: [], usage: usageOf(answer) },
  ];
}

const head = (object: string, model: string): Json => ({
  id: 'chatcmpl-1',
  object,
  created: 1795000000,
  model,
  service_tier: 'default',
});

const reasonOf = ({ calls }: Answer): string => (calls.length > 0 ? 'tool_calls' : 'stop');

const callsOf = ({ calls }: Answer) =>
  calls.map((call) => ({
    id: call.id,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
  }));

const usageOf = ({ usage }: Answer): Json => ({
  prompt_tokens: usage.input,
  completion_tokens: usage.output,
  total_tokens: usage.input + usage.output,
  prompt_tokens_details: { cached_tokens: 8 },
});
