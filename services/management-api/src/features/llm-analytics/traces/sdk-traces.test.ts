import { expect, test } from '@jest/globals';
import { renderTrace } from '../text-repr/render-trace.ts';
import { buildTrace } from './build-trace.ts';
import { storedTrace, type TestEvent } from './testing/stored-events.ts';

// Traces as the SDKs of PostHog send them: each event at its end, so the root comes last.

function linesOf(
  traceId: string,
  events: readonly TestEvent[],
  options: Parameters<typeof renderTrace>[2] = {},
): string[] {
  const { trace, hierarchy, eventsOmitted } = buildTrace(traceId, storedTrace(events));
  return renderTrace(trace, hierarchy, { includeMarkers: false, ...options }, eventsOmitted).text.split('\n');
}

const SEP = '-'.repeat(80);
const RULE = '='.repeat(80);

test('langchain: the root is $ai_trace with a span id of its own, which children name; the caller chose the trace id', () => {
  const common = { $ai_lib: 'posthog-python', $ai_framework: 'langchain', $ai_trace_id: 'order-42' };
  const run = (id: string, parent: string | null) => ({ ...common, $ai_span_id: id, $ai_parent_id: parent });
  const events: TestEvent[] = [
    ['$ai_span', 2, { ...run('r-prompt', 'r-root'), $ai_span_name: 'ChatPromptTemplate', $ai_latency: 0.01, $ai_input_state: { topic: 'tea' }, $ai_output_state: { messages: [{ role: 'user', content: 'About tea?' }] } }],
    ['$ai_generation', 4, { ...run('r-llm', 'r-root'), $ai_span_name: 'ChatOpenAI', $ai_model: 'gpt-4o', $ai_latency: 1.5, $ai_input: [{ role: 'user', content: 'About tea?' }], $ai_output_choices: [{ role: 'assistant', content: '', tool_calls: [{ id: 'c', type: 'function', function: { name: 'search', arguments: '{"q": "tea", "n": 1.0}' } }] }] }],
    ['$ai_span', 5, { ...run('r-tool', 'r-agent'), $ai_span_name: 'search', $ai_latency: 0.5, $ai_input_state: "{'q': 'tea'}", $ai_output_state: 'Green and black.' }],
    ['$ai_span', 5.1, { ...run('r-agent', 'r-root'), $ai_span_name: 'tools', $ai_latency: 0.7 }],
    ['$ai_trace', 6, { ...run('r-root', null), $ai_span_name: 'RunnableSequence', $ai_latency: 5, $ai_input_state: { topic: 'tea' }, $ai_is_error: true, $ai_error: 'GraphRecursionError: limit' }],
  ]; // prettier-ignore
  expect(linesOf('order-42', events)).toEqual([
    ...['RUNNABLESEQUENCE', RULE, '', SEP, '', 'TRACE ERROR:', '', 'GraphRecursionError: limit', '', SEP, ''],
    ...['TRACE HIERARCHY:', ''],
    '├─ [+] [SPAN] ChatPromptTemplate (0.01s)',
    ...[
      ...['CHATPROMPTTEMPLATE', RULE, SEP, '', 'INPUT STATE:', '', '{', '  "topic": "tea"', '}'],
      ...[SEP, '', 'OUTPUT STATE:', '', '', '[1] USER', '', 'About tea?'],
    ].map((line) => `│      ${line}`),
    '├─ [+] [GEN] ChatOpenAI (1.50s, gpt-4o)',
    ...[
      ...[SEP, '', 'INPUT:', '', '[1] USER', '', 'About tea?', '', SEP, '', 'OUTPUT:'],
      ...['', '[1] ASSISTANT', '', '', 'Tool calls: 1', '  - search(q="tea", n=1.0)'],
    ].map((line) => `│      ${line}`),
    '└─ [+] [SPAN] tools (0.70s)',
    ...['TOOLS', RULE].map((line) => `       ${line}`),
    '   └─ [+] [SPAN] search (0.50s)',
    ...[
      ...['SEARCH', RULE, SEP, '', 'INPUT STATE:', '', '{', '  "q": "tea"', '}'],
      ...[SEP, '', 'OUTPUT STATE:', '', 'Green and black.'],
    ].map((line) => `          ${line}`),
  ]);
});

test('langchain: without a trace id of the caller, the trace id is the span id of the root', () => {
  const events: TestEvent[] = [
    ['$ai_generation', 2, { $ai_trace_id: 'r', $ai_span_id: 'g', $ai_parent_id: 'r', $ai_model: 'm', $ai_latency: 1 }],
    ['$ai_trace', 3, { $ai_trace_id: 'r', $ai_span_id: 'r', $ai_parent_id: null, $ai_span_name: 'LangGraph' }],
  ];
  const collapsed = linesOf('r', events, { collapsed: true });
  expect([collapsed[0], collapsed.at(-1)]).toEqual(['LANGGRAPH', '└─ [GEN] m (1.00s, m)']);
});

test('openai-agents: $ai_trace has a name only, and roots have a parent that is null', () => {
  const common = { $ai_framework: 'openai-agents', $ai_trace_id: 'trace_1', $ai_group_id: 'g', $ai_session_id: 's' };
  const span = (id: string, parent: string | null, type: string, name: string, latency: number) => ({
    ...common,
    ...{ $ai_span_id: id, $ai_parent_id: parent, $ai_span_type: type, $ai_span_name: name, $ai_latency: latency },
  });
  const events: TestEvent[] = [
    ['$ai_trace', 9, { ...common, $ai_trace_name: 'Support workflow', $ai_provider: 'openai' }],
    ['$ai_generation', 2, { ...common, $ai_span_id: 'g1', $ai_parent_id: 'a1', $ai_model: 'gpt-4.1', $ai_latency: 1 }],
    ['$ai_span', 3, span('h1', 'a1', 'handoff', 'Triage → Refunds', 0.001)],
    ['$ai_span', 3.5, span('a1', null, 'agent', 'Triage', 2.5)],
    ['$ai_span', 4.5, { ...span('x', 'a2', 'guardrail', 'PII', 0.2), $ai_guardrail_triggered: false }],
    ['$ai_generation', 7, { ...common, $ai_span_id: 'g2', $ai_parent_id: 'a2', $ai_model: 'gpt-4.1', $ai_latency: 2, $ai_is_error: true }],
    ['$ai_span', 8, span('a2', null, 'agent', 'Refunds', 4)],
  ]; // prettier-ignore
  expect(linesOf('trace_1', events, { collapsed: true })).toEqual([
    ...['SUPPORT WORKFLOW', RULE, '', SEP, '', 'TRACE HIERARCHY:', ''],
    '├─ [SPAN] Triage (2.50s)',
    '│  ├─ [GEN] gpt-4.1 (1.00s, gpt-4.1)',
    '│  └─ [SPAN] Triage → Refunds (0.00s)',
    '└─ [SPAN] Refunds (4.00s)',
    '   ├─ [SPAN] PII (0.20s)',
    '   └─ [GEN] gpt-4.1 (2.00s, gpt-4.1, ERROR)',
  ]);
});

test('a wrapper without spans: generations that name the trace alone, in the order of their starts', () => {
  const events: TestEvent[] = [
    ['$ai_generation', 4, { $ai_trace_id: 'u', $ai_model: 'slow', $ai_latency: 3.5 }],
    ['$ai_generation', 2, { $ai_trace_id: 'u', $ai_model: 'fast', $ai_latency: 0.5 }],
    ['$ai_feedback', 9, { $ai_trace_id: 'u', $ai_feedback_text: 'Good' }],
  ];
  expect(linesOf('u', events, { collapsed: true }).slice(-2)).toEqual([
    '├─ [GEN] slow (3.50s, slow)',
    '└─ [GEN] fast (0.50s, fast)',
  ]);
});

test('privacy mode: contents that are null', () => {
  const hidden = {
    $ai_trace_id: 'p',
    $ai_model: 'm',
    $ai_input: null,
    $ai_output_choices: null,
    $ai_error: 'APIError',
  };
  expect(linesOf('p', [['$ai_generation', 1, hidden]]).slice(7)).toEqual([
    '└─ [+] [GEN] m (m, ERROR)',
    ...['', SEP, '', 'ERROR:', '', 'APIError', ''].map((line) => `       ${line}`),
  ]);
});
