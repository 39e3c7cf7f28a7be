import { describe, expect, test } from '@jest/globals';
import { renderSource, type SummarySource } from '../source.ts';
import type { Summary, SummaryMode } from '../summary.ts';
import { summarizeBuiltIn } from './summarize.ts';

// The promise: each bullet says something about the trace that is true, and none says what another has said.

type Properties = Record<string, unknown>;
const summarize = (source: SummarySource, mode: SummaryMode = 'minimal', lengthMax = 2_000_000): Summary =>
  summarizeBuiltIn(source, renderSource(source, lengthMax), mode);
const node = (event: string, properties: Properties, children: unknown[] = []) => ({
  event: { event, properties },
  children,
});
const ofTrace = (hierarchy: unknown[], properties: Properties = {}): SummarySource => ({
  type: 'trace',
  id: 't',
  trace: { properties },
  hierarchy,
  eventsOmitted: 0,
});
const bulletsOf = (source: SummarySource, mode?: SummaryMode): string[] =>
  summarize(source, mode).summary_bullets.map(({ text }) => text);
const user = (content: string) => ({ role: 'user', content });
const assistant = (content: string) => ({ role: 'assistant', content });

const failure = JSON.stringify({
  name: 'Error',
  message: 'No such city',
  stack: 'at tool.name (file:///app.mjs:41:31)',
});
const failedTool = ofTrace(
  [node('$ai_span', { $ai_span_name: 'get_weather', $ai_error: failure, $ai_is_error: true })],
  {
    $ai_span_name: 'RunnableLambda',
    $ai_error: failure,
  },
);

describe('errors', () => {
  test('are their message, not their name and stack, and those of one message are one', () => {
    expect(bulletsOf(failedTool)).toEqual([
      'In all: 1 span.',
      'No message calls a tool.',
      'Error in get_weather: “No such city”',
    ]);
    expect(summarize(failedTool)).toMatchObject({
      title: 'get_weather',
      interesting_notes: [{ text: 'Error in get_weather: “No such city”' }],
    });
  });

  test.each<[string, unknown, string]>([
    ['an object', { message: 'Busy', code: 529 }, 'Busy'],
    ['an object inside', { error: { type: 'overloaded', message: 'Busy' } }, 'Busy'],
    ['a message that is JSON itself', { message: '529 {"type":"error"}' }, '529 {"type":"error"}'],
    ['an object without a message', { code: 529 }, 'code: 529'],
    ['a text', 'Busy', 'Busy'],
    ['nothing', undefined, 'An error occurred (no details available)'],
  ])('%s', (_name, error, words) => {
    const source = ofTrace([node('$ai_generation', { $ai_model: 'm', $ai_is_error: true, $ai_error: error })]);
    expect(bulletsOf(source)).toContain(`Error in m: “${words}”`);
  });

  test('five steps with the same one are one bullet', () => {
    const steps = Array.from({ length: 5 }, () => node('$ai_generation', { $ai_model: 'm', $ai_error: 'Busy' }));
    expect(bulletsOf(ofTrace(steps)).filter((text) => text.includes('Busy'))).toEqual([
      'Error in m, and 4 times more: “Busy”',
    ]);
  });
});

test('the last answer is of an assistant, not the output of a tool or a state', () => {
  const source = ofTrace([
    node('$ai_generation', { $ai_input: [user('Weather?')], $ai_output_choices: [assistant('It rains.')] }),
    node('$ai_span', { $ai_span_name: 'save', $ai_output_state: { lc_kwargs: { messages: 2 } } }),
  ]);
  expect(bulletsOf(source)).toContain('The last answer: “It rains.”');
  expect(bulletsOf(ofTrace([node('$ai_span', { $ai_output_state: 'Saved.' })]))).toContain('The last output: “Saved.”');
});

test('a message that is in the input of each generation is told once', () => {
  const talk = [{ role: 'system', content: 'Be brief.' }, user('Weather?')];
  const source = ofTrace(Array.from({ length: 3 }, () => node('$ai_generation', { $ai_model: 'm', $ai_input: talk })));
  const bullets = bulletsOf(source, 'detailed');
  expect(bullets.filter((text) => text.includes('Weather?'))).toEqual(['The user writes: “Weather?”']);
  expect(bullets.filter((text) => text.includes('Be brief.'))).toEqual(['A message of system: “Be brief.”']);
});

test('a guardrail that is triggered is a bullet and a note', () => {
  const guardrail = (isTriggered: unknown) =>
    ofTrace([node('$ai_span', { $ai_span_name: 'no rain', $ai_guardrail_triggered: isTriggered })]);
  const told = { text: 'The guardrail no rain is triggered.', line_refs: '[L8]' };
  expect(summarize(guardrail(true))).toMatchObject({
    summary_bullets: expect.arrayContaining([told]),
    interesting_notes: [told],
  });
  expect(JSON.stringify(summarize(guardrail(false)))).not.toContain('triggered');
});

test('a title is no JSON where a step has a name', () => {
  const find = (name: string) => node('$ai_span', { $ai_span_name: name, $ai_input_state: { city: 'Oslo' } });
  expect(summarize(ofTrace([find('RunnableLambda'), find('find_city')])).title).toBe('find_city');
});

describe('with little to tell', () => {
  test('steps by their figures, then what is not recorded', () => {
    const properties = { $ai_model: 'embed-3', $ai_latency: 0.02, $ai_input_tokens: 5, $ai_input: ['Oslo', 'Bergen'] };
    const source = ofTrace([node('$ai_embedding', properties)]);
    expect(bulletsOf(source)).toEqual([
      'In all: 1 embedding, 5 tokens in and 0 out, 0.02 s.',
      'No error is recorded.',
      'The embedding embed-3 takes 0.02 s.',
    ]);
    expect(summarize(source).title).toBe('embed-3');
  });

  test('nothing but a name: five bullets, none of them a quotation of a heading', () => {
    const bullets = bulletsOf(ofTrace([node('custom', {})], { $ai_span_name: 'RunnableLambda' }), 'detailed');
    expect(bullets.slice(0, 4)).toEqual([
      'No error is recorded.',
      'No message calls a tool.',
      'Neither tokens nor a cost are recorded.',
      'No time is recorded.',
    ]);
    expect(bullets).toHaveLength(5);
    expect(bullets.join('\n')).not.toContain('RUNNABLELAMBDA');
  });

  test('what is not recorded is not told of a text that is not whole', () => {
    const tree = Array.from({ length: 50 }, () => node('custom', {}));
    const some: SummarySource = { ...ofTrace(tree), eventsOmitted: 3 } as SummarySource;
    expect(summarize(ofTrace(tree), 'detailed').summary_bullets[0]?.text).toBe('No error is recorded.');
    for (const summary of [summarize(ofTrace(tree), 'detailed', 500), summarize(some, 'detailed')])
      expect(JSON.stringify(summary)).not.toMatch(/No error|No message|Neither|No time/);
  });
});
