import { describe, expect, test } from '@jest/globals';
import { renderSource, type SummarySource } from '../source.ts';
import type { SummaryMode } from '../summary.ts';
import { summarizeBuiltIn } from './summarize.ts';

const summarize = (source: SummarySource, mode: SummaryMode = 'minimal') =>
  summarizeBuiltIn(source, renderSource(source, 2_000_000), mode);

const asks = (content: string) => ({ role: 'user', content });
const generation = (properties: Record<string, unknown>) => ({ event: '$ai_generation', properties });
const ofTrace = (hierarchy: unknown[], properties: Record<string, unknown> = {}): SummarySource => ({
  type: 'trace',
  id: 't1',
  trace: { properties },
  hierarchy,
  eventsOmitted: 0,
});
const ofEvent = (properties: Record<string, unknown>, event = '$ai_generation'): SummarySource => ({
  type: 'event',
  id: 'e1',
  event: { id: 'e1', event, properties },
});

const call = { function: { name: 'get_weather', arguments: '{"city": "Oslo"}' } };
const conversation = ofTrace(
  [
    {
      event: {
        id: 'agent',
        event: '$ai_span',
        properties: { $ai_span_name: 'weather agent', $ai_latency: 4, $ai_input_state: 'Oslo' },
      },
      children: [
        {
          event: {
            id: 'g1',
            ...generation({
              $ai_model: 'gpt-4.1',
              $ai_latency: 0.5,
              $ai_input_tokens: 1200,
              $ai_output_tokens: 30,
              $ai_total_cost_usd: 0.0021,
              $ai_input: [asks('How is the weather in Oslo?')],
              $ai_output_choices: [{ role: 'assistant', content: '', tool_calls: [call] }],
            }),
          },
        },
        { event: { id: 'w', event: '$ai_span', properties: { $ai_span_name: 'get_weather', $ai_latency: 3, $ai_is_error: true, $ai_error: 'timed out' } } },
        {
          event: {
            id: 'g2',
            ...generation({
              $ai_model: 'gpt-4.1',
              $ai_latency: 0.5,
              $ai_input: [asks('How is the weather in Oslo?'), { role: 'assistant', content: '', tool_calls: [call] }],
              $ai_output_choices: [{ role: 'assistant', content: 'I could not find out.' }],
            }),
          },
        },
      ],
    },
  ],
  { $ai_span_name: 'RunnableSequence' },
); // prettier-ignore

describe('a summary without a model (contract/llm-surveys 6.4)', () => {
  test('of a trace: what was asked and answered, errors, totals, tools, each with its lines', () => {
    const text = renderSource(conversation, 2_000_000).text.split('\n');
    const summary = summarize(conversation);
    expect(summary).toEqual({
      title: 'How is the weather in Oslo?',
      flow_diagram: [
        'flowchart TD',
        '  n0["Trace"]',
        '  n0 --> n1["weather agent"]',
        '  n1 --> n2["gpt-4.1"]',
        '  n1 --> n3["get_weather (error)"]',
        '  n1 --> n4["gpt-4.1"]',
      ].join('\n'),
      summary_bullets: [
        { text: 'In all: 2 generations, 2 spans, 1,200 tokens in and 30 out, $0.0021, 4.00 s.', line_refs: `[L1-${text.length}]` },
        { text: 'The user writes: “How is the weather in Oslo?”', line_refs: expect.any(String) },
        { text: 'The tool get_weather is called once.', line_refs: expect.any(String) },
        { text: 'Error in get_weather: “timed out”', line_refs: expect.any(String) },
        { text: 'The last answer: “I could not find out.”', line_refs: expect.any(String) },
      ],
      interesting_notes: [
        { text: 'get_weather takes 75% of the time.', line_refs: expect.any(String) },
        { text: 'Error in get_weather: “timed out”', line_refs: expect.any(String) },
      ],
    }); // prettier-ignore
    const lineOf = (at: number) =>
      text[Number(/^\[L(\d+)/.exec(summary.summary_bullets[at]?.line_refs ?? '')?.[1]) - 1];
    expect([1, 2, 3, 4].map(lineOf)).toEqual([
      expect.stringMatching(/How is the weather in Oslo\?$/),
      expect.stringMatching(/- get_weather\(city="Oslo"\)$/),
      expect.stringMatching(/ERROR:$/),
      expect.stringMatching(/I could not find out\.$/),
    ]);
  });

  test('of an event: a chain of what went in, what was called, what came out', () => {
    const { title, flow_diagram } = summarize(
      ofEvent({
        $ai_model: 'gpt-4.1',
        $ai_input: [asks('one two three four five six seven eight nine ten eleven')],
        $ai_output_choices: [{ role: 'assistant', content: 'Yes', tool_calls: [call, call] }],
      }),
    );
    expect(title).toBe('one two three four five six seven eight nine ten');
    expect(flow_diagram.split('\n').slice(1)).toEqual([
      '  n0["Input"]',
      '  n0 --> n1["gpt-4.1"]',
      '  n1 --> n2["get_weather × 2"]',
      '  n2 --> n3["Output"]',
    ]);
  });

  test.each<[SummaryMode, number]>([
    ['minimal', 3],
    ['detailed', 5],
  ])('%s: one line of text gives %d bullets', (mode, count) => {
    const { summary_bullets } = summarize(ofTrace([{ event: { id: 'x', event: 'custom' } }]), mode);
    expect(summary_bullets.length).toBeGreaterThanOrEqual(count);
    expect(new Set(summary_bullets.map(({ text }) => text)).size).toBe(summary_bullets.length);
  });

  test('many alike siblings are one node, and what is left out is counted', () => {
    const alike = Array.from({ length: 150 }, () => ({ event: generation({ $ai_model: 'm', $ai_input: 'x' }) }));
    expect(summarize(ofTrace(alike)).flow_diagram).toBe('flowchart TD\n  n0["Trace"]\n  n0 --> n1["m × 150"]');
    const others = Array.from({ length: 20 }, (_, index) => ({ event: generation({ $ai_model: `m${index}` }) }));
    const lines = summarize(ofTrace(others)).flow_diagram.split('\n');
    expect(lines).toHaveLength(8);
    expect(lines.at(-1)).toBe('  n0 --> n6["15 more"]');
  });

  test('a step that is tried again after an error, and a tool that is called three times, are notes', () => {
    const failing = generation({
      $ai_model: 'm',
      $ai_input: [asks('Go')],
      $ai_error: 'rate limit',
      $ai_is_error: true,
    });
    const right = generation({
      $ai_model: 'm',
      $ai_input: [asks('Go')],
      $ai_output_choices: [{ role: 'assistant', content: 'Gone', tool_calls: [call, call, call] }],
    });
    const notes = summarize(ofTrace([{ event: failing }, { event: right }]), 'detailed').interesting_notes;
    expect(notes.map(({ text }) => text).sort()).toEqual([
      'Error in m: “rate limit”',
      'The tool get_weather is called 3 times.',
      'm is tried again with the same input after an error.',
    ]);
  });

  test.each([
    ['a name of the trace', { $ai_span_name: 'Refund of order 7' }, 'Refund of order 7'],
    ['no class of a framework', { $ai_span_name: 'AgentExecutor' }, 'Where is my order?'],
  ])('its title is %s', (_, properties, title) => {
    const tree = [{ event: generation({ $ai_input: [asks('Where is\nmy order?')] }) }];
    expect(summarize(ofTrace(tree, properties)).title).toBe(title);
  });

  test('150 generations take less than 30 ms', () => {
    const tree = Array.from({ length: 150 }, (_, index) => ({
      event: generation({
        $ai_model: `m${index % 7}`,
        $ai_latency: index,
        $ai_is_error: index % 5 === 0,
        $ai_input: Array.from({ length: 30 }, (_, at) => asks(`Message ${at} of ${index} `.repeat(10))),
        $ai_output_choices: [{ role: 'assistant', content: 'Yes. '.repeat(50), tool_calls: [call] }],
      }),
    }));
    const source = ofTrace(tree);
    const rendered = renderSource(source, 2_000_000);
    const times = Array.from({ length: 9 }, () => {
      const started = process.cpuUsage();
      summarizeBuiltIn(source, rendered, 'detailed');
      return process.cpuUsage(started).user / 1000;
    });
    expect(times.sort((one, other) => one - other)[4]).toBeLessThan(30);
  });
});
