import { describe, expect, test } from '@jest/globals';
import { renderEvent } from '../text-repr/render-event.ts';
import { valuesMax } from '../text-repr/values/value-count.ts';
import { memberOfAny } from '../text-repr/values/json-values.ts';
import { buildEvent } from './build-trace.ts';
import { storedEvent } from './testing/stored-events.ts';

// contract/decisions 57: contents that are JSON texts of items and blocks, as @posthog/ai writes those of OpenAI's Responses and LangChain.

const propertiesOf = (properties: object | string): unknown =>
  buildEvent(storedEvent('e', ['$ai_generation', 0, properties as Record<string, unknown> | string]))?.properties;

const inputOf = (content: string, more: object = {}): unknown =>
  memberOfAny(propertiesOf({ $ai_input: [{ role: 'user', content, ...more }] }), '$ai_input');

const linesOf = (properties: object | string): string[] => {
  const event = storedEvent('e', ['$ai_generation', 0, properties as Record<string, unknown> | string]);
  return renderEvent({ ...buildEvent(event) }).text.split('\n');
};

const call = { type: 'function_call', call_id: 'c', name: 'get_weather', arguments: '{"city":"Zürich","days":2}' };
const picture = { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' };

describe('an item takes the place of its message', () => {
  test.each<object>([
    call,
    { type: 'function_call_output', call_id: 'c', output: [{ type: 'input_text', text: '21 °C' }] },
    { type: 'custom_tool_call', call_id: 'c', name: 'sql', input: 'SELECT 1' },
    { type: 'custom_tool_call_output', call_id: 'c', output: 'one' },
    { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'I look it up.' }] },
    { type: 'web_search_call', id: 'w', status: 'completed', action: { type: 'search', query: 'rain' } },
    { type: 'mcp_list_tools', id: 'm', server_label: 'docs', tools: [] },
  ])('%j', (item) => expect(inputOf(JSON.stringify(item))).toEqual([item]));

  test('and is rendered as one that was sent as it is, with its digits and the order of its keys', () => {
    const text = '{"type":"web_search_call","action":{"z":1.0,"1":12345678901234567890}}';
    const stringified = {
      $ai_input: [
        { role: 'user', content: 'Rain?' },
        { role: 'user', content: text },
      ],
    };
    const lines = linesOf(stringified);
    expect(lines).toEqual(linesOf(`{"$ai_input":[{"role":"user","content":"Rain?"},${text}]}`));
    const members = ['{', '  "action": {', '    "z": 1.0,', '    "1": 12345678901234567890', '  }', '}'];
    expect(lines.slice(-9)).toEqual(['[2] WEB_SEARCH_CALL', '', 'web_search_call()', ...members]);
  });

  test('not when the message has calls of its own, or the object is a message itself', () => {
    const text = JSON.stringify(call);
    const calls = { tool_calls: [{ function: { name: 'f', arguments: '{}' } }] };
    expect(inputOf(text, calls)).toEqual([{ role: 'user', content: text, ...calls }]);
    for (const more of [{ role: 'user' }, { content: 'Hi' }, { tool_calls: [] }]) {
      const message = JSON.stringify({ ...call, ...more });
      expect(inputOf(message)).toEqual([{ role: 'user', content: message }]);
    }
  });
});

describe('blocks become the content', () => {
  test.each<object[]>([
    [[{ type: 'input_text', text: 'And this?' }, picture, { type: 'input_file', filename: 'a.pdf', file_data: 'x' }]],
    [
      [
        { type: 'text', text: 'Look' },
        { type: 'image_url', image_url: { url: 'https://a.example/b.png' } },
      ],
    ],
    [[{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } }]],
    [
      [
        { type: 'thinking', thinking: 'Hm' },
        { type: 'tool_use', id: 't', name: 'f', input: { a: 1 } },
      ],
    ],
    [[{ type: 'tool_result', tool_use_id: 't', content: 'done' }]],
    [[{ type: 'refusal', refusal: 'No.' }]],
  ])('%j', (blocks) => {
    const more = { tool_calls: [], name: 'ada' };
    expect(inputOf(` ${JSON.stringify(blocks)}\n`, more)).toEqual([{ role: 'user', content: blocks, ...more }]);
  });

  test('also a picture that is alone; its data stays out of the text', () => {
    expect(inputOf(JSON.stringify(picture))).toEqual([{ role: 'user', content: [picture] }]);
    expect(linesOf({ $ai_input: [{ role: 'user', content: JSON.stringify(picture) }] }).at(-1)).toBe('[IMAGE]');
  });
});

describe('all else stays a text', () => {
  test.each<string>([
    '{"answer": 1}',
    '[{"answer": 1}]',
    '{"type":"unknown","text":"x"}',
    '{"type":"phone_call","name":"x"}',
    '{"type":"test_output","output":"x"}',
    '{"type":7,"text":"x"}',
    '{"type":"text","text":"x"}',
    '{"type":"input_text","text":"x"}',
    '{"type":"image","url":"a.png"}',
    '{"type":"file","name":"a.txt","size":3}',
    '[{"type":"file","name":"a.txt","size":3}]',
    '[{"type":"text","text":7}]',
    '[{"type":"text","value":"x"}]',
    '[{"type":"text","text":"x"},{"type":"unknown"}]',
    '[{"type":"text","text":"x"},"y"]',
    '[{"type":"function_call","name":"f"}]',
    '[[{"type":"text","text":"x"}]]',
    '[]',
    '{"type":"function_call","name":"f"',
    'see {"type":"function_call","name":"f"}',
    '"{\\"type\\":\\"function_call\\"}"',
    '{"type":"constructor"}',
    '[{"type":"__proto__","text":"x"}]',
  ])('%s', (text) => expect(inputOf(text)).toEqual([{ role: 'user', content: text }]));

  test('also what is in no message of a role, in no conversation, and in a text of such a content', () => {
    const text = JSON.stringify(call);
    const message = [{ role: 'user', content: text }];
    for (const properties of [
      { $ai_input: [{ content: text }, { role: 7, content: text }, 7, null] },
      { $ai_input: { role: 'user', content: text } },
      { $ai_input: text },
      { $ai_output: text, $ai_input_state: message, $ai_output_state: { messages: message } },
      { $ai_input: [{ role: 'user', content: [{ type: 'text', text }] }] },
    ])
      expect(propertiesOf(properties)).toEqual(properties);
  });
});

describe('answers', () => {
  const text = JSON.stringify(call);
  test.each<[choices: unknown, read: unknown]>([
    [[{ role: 'assistant', content: text }], [call]],
    [[{ message: { role: 'assistant', content: text }, finish_reason: 'stop' }], [call]],
    [{ choices: [{ message: { role: 'assistant', content: text } }] }, { choices: [call] }],
    [JSON.stringify([{ role: 'assistant', content: text }]), [call]],
    [
      [{ message: { role: 'assistant', content: `[${JSON.stringify(picture)}]` }, index: 0 }],
      [{ message: { role: 'assistant', content: [picture] }, index: 0 }],
    ],
    [[{ role: 'assistant', content: '{"answer": 1}' }], [{ role: 'assistant', content: '{"answer": 1}' }]],
  ])('%j', (choices, read) =>
    expect(memberOfAny(propertiesOf({ $ai_output_choices: choices }), '$ai_output_choices')).toEqual(read),
  );
});

test('a text for whose values too little is left stays a text', () => {
  const many = `{"type":"reasoning","summary":[${'[],'.repeat(valuesMax / 2)}1]}`;
  const small = JSON.stringify(call);
  const messages = [many, small].map((content) => ({ role: 'user', content }));
  const [first, second] = memberOfAny(propertiesOf({ $ai_input: messages }), '$ai_input') as unknown[];
  expect([memberOfAny(first, 'content') === many, second]).toEqual([true, call]);
}, 60_000);
