import { describe, expect, test } from '@jest/globals';
import { renderEvent } from '../text-repr/render-event.ts';
import { renderTrace } from '../text-repr/render-trace.ts';
import { memberOfAny } from '../text-repr/values/json-values.ts';
import { buildEvent, buildTrace } from './build-trace.ts';
import { storedEvent, storedTrace, type TestEvent } from './testing/stored-events.ts';

const SEP = '-'.repeat(80);
const RULE = '='.repeat(80);

function textOf(events: readonly TestEvent[], options: Parameters<typeof renderTrace>[2], eventsOmitted = 0): string {
  const built = buildTrace('t', storedTrace(events, eventsOmitted));
  return renderTrace(built.trace, built.hierarchy, options, built.eventsOmitted).text;
}

/** The lines of the tree without texts of events. */
function treeOf(events: readonly TestEvent[], eventsOmitted = 0): string[] {
  const lines = textOf(events, { collapsed: true }, eventsOmitted).split('\n');
  return lines.slice(lines.indexOf('TRACE HIERARCHY:') + 2);
}

const span = (name: string, second: number, properties: Record<string, unknown> = {}): TestEvent => [
  '$ai_span',
  second,
  { $ai_trace_id: 't', $ai_span_name: name, $ai_span_id: name, ...properties },
];
const below = (parent: unknown): Record<string, unknown> => ({ $ai_parent_id: parent });

describe('contract/llm-surveys 6.3: the header', () => {
  const states = { $ai_input_state: '{"b": 1.0, "10": 2}', $ai_output_state: '[1, 2]', $ai_error: 'boom' };
  const headerOf = (events: readonly TestEvent[]): string => textOf(events, { truncated: false });

  test.each<[rule: string, events: TestEvent[], name: string]>([
    ['$ai_span_name of $ai_trace', [['$ai_trace', 5, { $ai_span_name: 'a', $ai_trace_name: 'b' }]], 'A'],
    ['$ai_trace_name of $ai_trace', [span('s', 1), ['$ai_trace', 5, { $ai_trace_name: 'b' }]], 'B'],
    [
      'the earliest $ai_trace',
      [
        ['$ai_trace', 5, { $ai_span_name: 'late' }],
        ['$ai_trace', 4, { $ai_span_name: 'early' }],
      ],
      'EARLY',
    ],
    [
      'the earliest event with a name',
      [['$ai_trace', 0, {}], ['$ai_generation', 1, {}], span('late', 3), span('early', 2)],
      'EARLY',
    ],
    ['a name that is no text', [['$ai_trace', 0, { $ai_span_name: ['a', 1] }]], '["A", 1]'],
    ['no name', [['$ai_generation', 1, {}]], 'TRACE'],
  ])('%s', (_rule, events, name) => expect(headerOf(events).split('\n')[0]).toBe(name));

  test('states, as values with the digits and the order of their texts, and the error', () => {
    expect(headerOf([['$ai_trace', 0, states]]).split('\n')).toEqual(
      ['TRACE', RULE, '', SEP, '', 'TRACE ERROR:', '', 'boom'].concat(
        ['', SEP, '', 'TRACE INPUT:', '', '{', '  "b": 1.0,', '  "10": 2', '}'],
        ['', SEP, '', 'TRACE OUTPUT:', '', '[', '  1,', '  2', ']'],
      ),
    );
  });

  test('nothing of it comes from other events, nor from a later $ai_trace', () => {
    const events: TestEvent[] = [
      ['$ai_trace', 0, {}],
      ['$ai_trace', 1, states],
      ['$ai_metric', 2, states],
    ];
    expect(headerOf(events)).toBe(`TRACE\n${RULE}`);
    expect(buildTrace('t', storedTrace(events)).trace).toEqual({ id: 't', properties: { $ai_trace_id: 't' } });
  });
});

describe('contract/llm-surveys 6.3: the tree', () => {
  test('metrics, feedback and $ai_trace are no nodes; embeddings and unknown events are', () => {
    const names = ['$ai_trace', '$ai_metric', '$ai_feedback', '$ai_embedding', '$ai_span', '$ai_other'];
    expect(treeOf(names.map((name, index) => [name, index, {}]))).toEqual([
      '├─ [EMBED] embedding',
      '├─ [SPAN] span',
      '└─ [EVENT] $ai_other',
    ]);
  });

  test('a node is found by $ai_generation_id, else by $ai_span_id, else by its uuid', () => {
    const generation: TestEvent = ['$ai_generation', 1, { $ai_generation_id: 'g', $ai_span_id: 's' }];
    const bare: TestEvent = ['$ai_span', 2, { $ai_generation_id: null, $ai_span_id: '' }];
    expect(
      treeOf([generation, bare, span('x', 3, below('g')), span('y', 4, below('s')), span('z', 5, below('e1'))]),
    ).toEqual(['├─ [GEN] generation', '│  └─ [SPAN] x', '├─ [SPAN] span', '│  └─ [SPAN] z', '└─ [SPAN] y']);
  });

  test('ids are texts: a number and its digits are one', () => {
    const events: TestEvent[] = [
      ['$ai_span', 1, '{"$ai_span_name":"a","$ai_span_id":12345678901234567890}'],
      ['$ai_span', 2, '{"$ai_span_name":"b","$ai_span_id":7,"$ai_parent_id":"12345678901234567890"}'],
      ['$ai_span', 3, '{"$ai_span_name":"c","$ai_parent_id":7}'],
    ];
    expect(treeOf(events)).toEqual(['└─ [SPAN] a', '   └─ [SPAN] b', '      └─ [SPAN] c']);
  });

  test('roots: no parent, the trace itself, an unknown one, the span of $ai_trace; in the order of their starts', () => {
    const events = [
      span('unknown', 4, below('nobody')),
      span('none', 3, below(null)),
      span('trace', 2, below('t')),
      span('header', 1, below('root')),
      ['$ai_trace', 9, { $ai_span_id: 'root' }],
    ] satisfies TestEvent[];
    expect(treeOf(events)).toEqual(['├─ [SPAN] header', '├─ [SPAN] trace', '├─ [SPAN] none', '└─ [SPAN] unknown']);
  });

  test('a parent that is the trace is no node, even if one has that id', () => {
    expect(treeOf([span('t', 1), span('a', 2, below('t'))])).toEqual(['├─ [SPAN] t', '└─ [SPAN] a']);
  });

  test('siblings by start, which the latency says but for OpenTelemetry; then the longer first', () => {
    const timed = (name: string, second: number, latency: unknown, source?: string): TestEvent =>
      span(name, second, { $ai_latency: latency, $ai_ingestion_source: source });
    expect(
      treeOf([
        timed('starts at 3', 3, undefined),
        timed('starts at 1', 5, 4),
        timed('starts at 2', 5, '3.0'),
        timed('otel at 2.5', 2.5, 2, 'otel'),
        timed('longer from 1', 6, 5),
        timed('starts at 4', 4, -100),
        timed('starts at 9', 9, [1]),
      ]),
    ).toEqual([
      '├─ [SPAN] longer from 1 (5.00s)',
      '├─ [SPAN] starts at 1 (4.00s)',
      '├─ [SPAN] starts at 2 (3.00s)',
      '├─ [SPAN] otel at 2.5 (2.00s)',
      '├─ [SPAN] starts at 3',
      '├─ [SPAN] starts at 4 (-100.00s)',
      '└─ [SPAN] starts at 9',
    ]);
  });

  test('microseconds decide too', () => {
    const [later, earlier] = [storedEvent('l', span('later', 1)), storedEvent('f', span('earlier', 1))];
    const at = (event: typeof later, micros: string) => ({
      ...event,
      timestamp: event.timestamp.replace('000000Z', `${micros}Z`),
    });
    const events = [at(later, '000002'), at(earlier, '000001')];
    const { hierarchy } = buildTrace('t', { events, eventsOmitted: 0 });
    expect(hierarchy.map(({ event }) => event.id)).toEqual(['f', 'l']);
  });

  test('of several events with one id the last counts, at its own time; the same uuid is there once', () => {
    const first = span('a', 1);
    const replacing = span('a', 3, { $ai_span_name: 'a again' });
    expect(treeOf([first, replacing, span('b', 2), span('c', 4, below('a'))])).toEqual([
      '├─ [SPAN] b',
      '└─ [SPAN] a again',
      '   └─ [SPAN] c',
    ]);
    const twice = storedEvent('u', ['$ai_span', 1, {}]);
    expect(buildTrace('t', { events: [twice, twice], eventsOmitted: 0 }).hierarchy).toHaveLength(1);
  });

  test('a circle is cut at its first event, and what hangs on it stays there', () => {
    const events = [
      span('own', 9, below('own')),
      span('x', 3, below('z')),
      span('y', 4, below('x')),
      span('z', 2, below('y')),
      span('leaf', 1, below('y')),
    ];
    expect(treeOf(events)).toEqual([
      '├─ [SPAN] z',
      '│  └─ [SPAN] x',
      '│     └─ [SPAN] y',
      '│        └─ [SPAN] leaf',
      '└─ [SPAN] own',
    ]);
  });

  test('events that were left out are told at the end of the tree', () => {
    expect(treeOf([span('a', 1, below('left out'))], 3)).toEqual(['└─ [SPAN] a', '[3 events not shown]']);
  });
});

describe('contract/decisions 57: texts in stored properties', () => {
  const decodedOf = (key: string, text: string): unknown =>
    memberOfAny(buildEvent(storedEvent('e', ['$ai_generation', 0, { [key]: text }]))?.properties, key);
  const response = '{"object":"response","output":[{"type":"message","content":"Hi"}]}';

  test.each<[key: string, text: string, isRead: boolean]>([
    ['$ai_input', '[{"role":"user","content":"Hi"}]', true],
    ['$ai_input', ' \n[{}]', true],
    ['$ai_input', '[]', false],
    ['$ai_input', '["a prompt that is a list"]', false],
    ['$ai_input', '[{},1]', false],
    ['$ai_input', '{"role":"user"}', false],
    ['$ai_output_choices', '[]', true],
    ['$ai_output_choices', '{"choices":[]}', true],
    ['$ai_output_choices', '"Hi"', false],
    ['$ai_output_choices', '[1', false],
    ['$ai_tools', '[{"name":"f"}]', true],
    ['$ai_input_state', '{}', true],
    ['$ai_input_state', '7', false],
    ['$ai_output_state', '[1]', true],
    ['$ai_output', response, true],
    ['$ai_output', '{"answer":1}', false],
    ['$ai_output', '{"object":"response","output":[]}', false],
    ['$ai_error', '{"message":"boom"}', false],
    ['other', '[1]', false],
  ])('%s: %s', (key, text, isRead) => expect(decodedOf(key, text)).toEqual(isRead ? JSON.parse(text) : text));

  test('digits and order of keys are those of the client, also inside of texts', () => {
    const json = String.raw`{"$ai_input_state":{"z":12345678901234567890,"1":1.0},"$ai_output_state":"{\"z\":1e2,\"1\":-0}"}`;
    const event = buildEvent(storedEvent('e', ['$ai_span', 0, json]));
    expect(
      renderEvent({ ...event })
        .text.split('\n')
        .filter((line) => line.startsWith('  "')),
    ).toEqual(['  "z": 12345678901234567890,', '  "1": 1.0', '  "z": 1e2,', '  "1": -0']);
  });

  test.each(['[]', '7', '', '{"a":'])('properties that are no object are none: %s', (text) => {
    expect(buildEvent(storedEvent('e', ['$ai_span', 0, text]))).toMatchObject({ id: 'e', properties: {} });
  });

  test('a generation is rendered as if it had been posted', () => {
    const properties = { $ai_input: [{ role: 'user', content: 'Hi' }], $ai_output: '{"answer": 1}' };
    const event = buildEvent(storedEvent('e', ['$ai_generation', 0, properties]));
    expect(renderEvent({ ...event }).text).toBe(renderEvent({ id: 'e', event: '$ai_generation', properties }).text);
  });
});

describe('hostile traces', () => {
  const generation = (text: string): TestEvent => ['$ai_generation', 0, `{"$ai_input":${text}}`];
  const lists = (count: number): string => `[${'[],'.repeat(count)}1]`;

  test('values beyond a bound are not parsed: events are left out, texts stay', () => {
    const many = generation(lists(1_900_000));
    const built = buildTrace('t', storedTrace([many, many, span('a', 1)], 5));
    expect([built.hierarchy.length, built.eventsOmitted]).toEqual([2, 6]);
    const texts = generation(JSON.stringify(`[{"a":${lists(1_900_000)}}]`));
    const [first, second] = buildTrace('t', storedTrace([texts, texts])).hierarchy.map(({ event }) =>
      memberOfAny(event.properties, '$ai_input'),
    );
    expect([typeof first, typeof second]).toEqual(['string', 'object']);
    expect(buildEvent(storedEvent('e', generation(lists(2_100_000))))).toBeUndefined();
  }, 60_000);

  test('10,000 events, each below the one before, and as one circle', () => {
    const chain = (last: unknown): TestEvent[] =>
      Array.from({ length: 10_000 }, (_, at) => span(`s${at}`, at, below(at === 0 ? last : `s${at - 1}`)));
    for (const last of [null, 's9999']) {
      const { hierarchy } = buildTrace('t', storedTrace(chain(last)));
      let [depth, nodes] = [0, hierarchy];
      for (; nodes.length > 0; nodes = nodes[0]?.children ?? []) depth += nodes.length;
      expect(depth).toBe(10_000);
    }
    expect(textOf(chain(null), { collapsed: true }).length).toBeLessThanOrEqual(2_000_000);
  });
});
