import { isObject, objectsOf, textOf, type Answer, type Json, type Question } from './question.ts';

/** A body of `POST /v1/responses`. */
export function readResponses(body: Json): Question {
  const { input } = body;
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : objectsOf(input);
  const last = items.findLastIndex((item) => item['role'] === 'user');
  const since: Json[] = items.slice(last + 1);
  const content = items[last]?.['content'];
  const parts = objectsOf(content);
  return {
    model: textOf(body['model']),
    stream: body['stream'] === true,
    text: typeof content === 'string' ? content : parts.map(({ text }) => textOf(text)).join(''),
    pictures: parts.filter(({ type }) => type === 'input_image').length,
    tools: objectsOf(body['tools'])
      .filter(({ type }) => type === 'function')
      .map(({ name, parameters }) => ({ name: textOf(name), schema: isObject(parameters) ? parameters : {} })),
    called: since.filter(({ type }) => type === 'function_call').map(({ name }) => textOf(name)),
    results: since.filter(({ type }) => type === 'function_call_output').map(({ output }) => resultOf(output)),
    thinks: isObject(body['reasoning']) && 'summary' in body['reasoning'],
  };
}

const resultOf = (output: unknown): string =>
  isObject(output)
    ? textOf(output['text'])
    : Array.isArray(output)
      ? objectsOf(output).map(resultOf).join('')
      : textOf(output);

export function responseBody(model: string, answer: Answer, status = 'completed'): Json {
  return {
    ...{ id: 'resp_1', object: 'response', created_at: 1795000000, status, model, service_tier: 'default' },
    ...{ error: null, incomplete_details: null, instructions: null, metadata: {}, tools: [], tool_choice: 'auto' },
    ...{ parallel_tool_calls: true, temperature: 1, top_p: 1 },
    output: status === 'completed' ? itemsOf(answer) : [],
    usage: status === 'completed' ? usageOf(answer) : null,
  };
}

/** Events of a stream, each with its `type`. */
export function responseEvents(model: string, answer: Answer): Json[] {
  const items = itemsOf(answer).flatMap((item, index): Json[] => [
    { type: 'response.output_item.added', output_index: index, item: { ...item, ...begun(item) } },
    ...deltasOf(item, index),
    { type: 'response.output_item.done', output_index: index, item },
  ]);
  return [
    { type: 'response.created', response: responseBody(model, answer, 'in_progress') },
    ...items,
    { type: 'response.completed', response: responseBody(model, answer) },
  ].map((event, index) => ({ ...event, sequence_number: index }));
}

const begun = ({ type }: Json): Json =>
  type === 'message'
    ? { content: [], status: 'in_progress' }
    : type === 'function_call'
      ? { arguments: '' }
      : { summary: [] };

function deltasOf(item: Json, index: number): Json[] {
  const place = { item_id: item['id'], output_index: index };
  if (item['type'] === 'function_call')
    return [
      { type: 'response.function_call_arguments.delta', ...place, delta: item['arguments'] },
      { type: 'response.function_call_arguments.done', ...place, arguments: item['arguments'] },
    ];
  if (item['type'] !== 'message') return [];
  const inPart = { ...place, content_index: 0 };
  const [part] = objectsOf(item['content']);
  const text = textOf(part?.['text']);
  const pieces = text.match(/[\s\S]{1,12}/gu) ?? [];
  return [
    { type: 'response.content_part.added', ...inPart, part: { ...part, text: '' } },
    ...pieces.map((delta) => ({ type: 'response.output_text.delta', ...inPart, delta, logprobs: [] })),
    { type: 'response.output_text.done', ...inPart, text, logprobs: [] },
    { type: 'response.content_part.done', ...inPart, part },
  ];
}

function itemsOf({ thoughts, text, calls }: Answer): Json[] {
  return [
    ...(thoughts === null
      ? []
      : [{ type: 'reasoning', id: 'rs_1', summary: [{ type: 'summary_text', text: thoughts }] }]),
    ...(text === null
      ? []
      : [
          {
            ...{ type: 'message', id: 'msg_1', role: 'assistant', status: 'completed' },
            content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
          },
        ]),
    ...calls.map((call) => ({
      ...{ type: 'function_call', id: `fc_${call.id}`, call_id: call.id, status: 'completed' },
      ...{ name: call.name, arguments: JSON.stringify(call.arguments) },
    })),
  ];
}

const usageOf = ({ usage }: Answer): Json => ({
  input_tokens: usage.input,
  input_tokens_details: { cached_tokens: 8, cache_write_tokens: 0 },
  output_tokens: usage.output,
  output_tokens_details: { reasoning_tokens: 4 },
  total_tokens: usage.input + usage.output,
});
