import { expect, test } from '@jest/globals';
import { renderEvent } from '../render-event.ts';
import { renderTrace } from '../render-trace.ts';
import { RULE, SEP } from './testing/golden.ts';

// The examples of contract/llm-surveys 5.10.

const generation = {
  event: '$ai_generation',
  properties: {
    $ai_input: [{ role: 'user', content: 'Hi' }],
    $ai_output_choices: [
      {
        message: {
          role: 'assistant',
          content: 'Hello!',
          tool_calls: [{ function: { name: 'get_weather', arguments: '{"city": "Zürich", "days": 2}' } }],
        },
      },
    ],
  },
};

test('example 1: a generation of 18 lines and 275 characters', () => {
  const lines = [
    SEP,
    '',
    'INPUT:',
    '',
    '[1] USER',
    '',
    'Hi',
    '',
    SEP,
    '',
    'OUTPUT:',
    '',
    '[1] ASSISTANT',
    '',
    'Hello!',
    '',
    'Tool calls: 1',
    '  - get_weather(city="Z\\u00fcrich", days=2)',
  ];
  const { text, charCount, lineCount, truncated } = renderEvent(generation);
  expect(text).toBe(lines.join('\n'));
  expect({ charCount, lineCount, truncated }).toEqual({ charCount: 275, lineCount: 18, truncated: false });
});

test('example 1, numbered: two digits for 18 lines', () => {
  const lines = renderEvent(generation, { includeLineNumbers: true }).text.split('\n');
  expect(lines[6]).toBe('L07: Hi');
  expect(lines[7]).toBe('L08: ');
  expect(lines[17]).toBe('L18:   - get_weather(city="Z\\u00fcrich", days=2)');
});

test('example 2: an embedding of 12 lines ends with a line break', () => {
  const { text } = renderEvent({ event: '$ai_embedding', properties: { $ai_input: 'hello' } });
  const lines = [SEP, '', 'INPUT:', '', 'hello', '', SEP, '', 'OUTPUT:', '', 'Embedding vector generated', ''];
  expect(text).toBe(lines.join('\n'));
  expect(text.endsWith('\n')).toBe(true);
});

test('example 3: a span with an input state', () => {
  const properties = { $ai_span_name: 'test-span', $ai_input_state: { query: 'test' } };
  const lines = ['TEST-SPAN', RULE, SEP, '', 'INPUT STATE:', '', '{', '  "query": "test"', '}'];
  expect(renderEvent({ event: '$ai_span', properties }).text).toBe(lines.join('\n'));
});

const agent = {
  event: { id: 's', event: '$ai_span', properties: { $ai_span_name: 'agent', $ai_latency: 1.2 } },
  children: [
    {
      event: {
        id: 'g',
        event: '$ai_generation',
        properties: {
          $ai_model: 'gpt-4o',
          $ai_latency: 0.45,
          $ai_total_cost_usd: 0.0023,
          $ai_input: [{ role: 'user', content: 'Hi' }],
        },
      },
      children: [],
    },
    { event: { id: 'm', event: 'custom', properties: {} }, children: [] },
  ],
};
const trace = { id: 't', properties: { $ai_trace_id: 't', $ai_span_name: 'my-trace' } };

test('example 4: a trace without markers', () => {
  const lines = [
    'MY-TRACE',
    RULE,
    '',
    SEP,
    '',
    'TRACE HIERARCHY:',
    '',
    '└─ [+] [SPAN] agent (1.20s)',
    '       AGENT',
    `       ${RULE}`,
    '   ├─ [+] [GEN] gpt-4o (0.45s, $0.0023, gpt-4o)',
    `   │      ${SEP}`,
    '   │      ',
    '   │      INPUT:',
    '   │      ',
    '   │      [1] USER',
    '   │      ',
    '   │      Hi',
    '   └─ [EVENT] custom',
  ];
  expect(renderTrace(trace, [agent], { includeMarkers: false }).text).toBe(lines.join('\n'));
});

test('example 4, collapsed', () => {
  const lines = renderTrace(trace, [agent], { collapsed: true }).text.split('\n');
  expect(lines.slice(7)).toEqual([
    '└─ [SPAN] agent (1.20s)',
    '   ├─ [GEN] gpt-4o (0.45s, $0.0023, gpt-4o)',
    '   └─ [EVENT] custom',
  ]);
});

test('example 5: six tools behind a marker', () => {
  const $ai_tools = [0, 1, 2, 3, 4, 5].map((index) => ({ name: `t${index}` }));
  const payload = 'QVZBSUxBQkxFIFRPT0xTOiA2CgogIHQwKCkKCiAgdDEoKQoKICB0MigpCgogIHQzKCkKCiAgdDQoKQoKICB0NSgp';
  expect(renderEvent({ event: '$ai_generation', properties: { $ai_tools } }).text).toBe(
    [SEP, '', `<<<TOOLS_EXPANDABLE|AVAILABLE TOOLS: 6|${payload}>>>`].join('\n'),
  );
});
