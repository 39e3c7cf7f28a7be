import { isObject, objectsOf, textOf, type Answer, type Json, type Question } from './question.ts';

/** A body of `POST /v1/messages`. */
export function readMessages(body: Json): Question {
  const messages = objectsOf(body['messages']).map((message) => ({
    role: message['role'],
    blocks:
      typeof message['content'] === 'string'
        ? [{ type: 'text', text: message['content'] }]
        : objectsOf(message['content']),
  }));
  const isResult = ({ type }: Json): boolean => type === 'tool_result';
  const last = messages.findLastIndex(({ role, blocks }) => role === 'user' && !blocks.some(isResult));
  const since: Json[] = messages.slice(last + 1).flatMap(({ blocks }): Json[] => blocks);
  const asked: Json[] = messages[last]?.blocks ?? [];
  const { thinking } = body;
  return {
    model: textOf(body['model']),
    stream: body['stream'] === true,
    text: asked.map(({ text }) => textOf(text)).join(''),
    pictures: asked.filter(({ type }) => type === 'image').length,
    tools: objectsOf(body['tools']).map(({ name, input_schema: schema }) => ({
      name: textOf(name),
      schema: isObject(schema) ? schema : {},
    })),
    called: since.filter(({ type }) => type === 'tool_use').map(({ name }) => textOf(name)),
    results: since.filter(isResult).map(({ content }) =>
      Array.isArray(content)
        ? objectsOf(content)
            .map(({ text }) => textOf(text))
            .join('')
        : textOf(content),
    ),
    thinks: isObject(thinking) && thinking['type'] !== 'disabled',
  };
}

export const messageBody = (model: string, answer: Answer): Json => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model, stop_sequence: null },
  stop_reason: answer.calls.length > 0 ? 'tool_use' : 'end_turn',
  content: blocksOf(answer),
  usage: usageOf(answer),
});

/** Events of a stream, each with its `type`. */
export function messageEvents(model: string, answer: Answer): Json[] {
  const whole = messageBody(model, answer);
  const blocks = blocksOf(answer).flatMap((block, index): Json[] => [
    { type: 'content_block_start', index, content_block: { ...block, ...begun(block) } },
    ...deltasOf(block).map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]);
  return [
    {
      type: 'message_start',
      message: { ...whole, content: [], stop_reason: null, usage: { ...usageOf(answer), output_tokens: 1 } },
    },
    ...blocks,
    {
      type: 'message_delta',
      delta: { stop_reason: whole['stop_reason'], stop_sequence: null },
      usage: { output_tokens: answer.usage.output },
    },
    { type: 'message_stop' },
  ];
}

function blocksOf({ thoughts, text, calls }: Answer): Json[] {
  return [
    ...(thoughts === null ? [] : [{ type: 'thinking', thinking: thoughts, signature: 'c2lnbmVk' }]),
    ...(text === null ? [] : [{ type: 'text', text, citations: null }]),
    ...calls.map((call) => ({ type: 'tool_use', id: `toolu_${call.id}`, name: call.name, input: call.arguments })),
  ];
}

const begun = ({ type }: Json): Json =>
  type === 'thinking' ? { thinking: '', signature: '' } : type === 'text' ? { text: '' } : { input: {} };

function deltasOf(block: Json): Json[] {
  const { type, thinking, signature, input } = block;
  if (type === 'thinking')
    return [
      { type: 'thinking_delta', thinking },
      { type: 'signature_delta', signature },
    ];
  if (type === 'tool_use') {
    const text = JSON.stringify(input);
    return [text.slice(0, 8), text.slice(8)].map((part) => ({ type: 'input_json_delta', partial_json: part }));
  }
  const pieces = textOf(block['text']).match(/[\s\S]{1,12}/gu) ?? [];
  return pieces.map((text) => ({ type: 'text_delta', text }));
}

const usageOf = ({ usage }: Answer): Json => ({
  input_tokens: usage.input,
  output_tokens: usage.output,
  cache_read_input_tokens: 8,
  cache_creation_input_tokens: 0,
  service_tier: 'standard',
});
