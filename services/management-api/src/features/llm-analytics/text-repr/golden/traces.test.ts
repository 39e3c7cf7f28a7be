import { base64, describeTraces, RULE, SEP } from './testing/golden.ts';

const node = (name: string, properties: Record<string, unknown>, ...children: unknown[]): unknown => ({
  event: { id: `id-${name}`, event: name, properties },
  children,
});
const gen = (properties: Record<string, unknown>, ...children: unknown[]): unknown =>
  node('$ai_generation', properties, ...children);
const span = (name: string, ...children: unknown[]): unknown => node('$ai_span', { $ai_span_name: name }, ...children);
const tree = (...lines: string[]): string[] => ['TRACE', RULE, '', SEP, '', 'TRACE HIERARCHY:', '', ...lines];
const collapsed = { collapsed: true };
const plain = { includeMarkers: false };

describeTraces('contract/llm-surveys 5.8: the header', [
  ['without anything', {}, [], ['TRACE', RULE]],
  ['$ai_span_name before traceName', { traceName: 'b', properties: { $ai_span_name: 'a' } }, [], ['A', RULE]],
  ['traceName before trace_name', { traceName: 'b', trace_name: 'c' }, [], ['B', RULE]],
  ['trace_name', { trace_name: 'c' }, [], ['C', RULE]],
  [
    'an error that is a text',
    { properties: { $ai_error: 'boom' } },
    [],
    ['TRACE', RULE, '', SEP, '', 'TRACE ERROR:', '', 'boom'],
  ],
  [
    'an error that is an object',
    { properties: { $ai_error: { a: [1] } } },
    [],
    ['TRACE', RULE, '', SEP, '', 'TRACE ERROR:', '', '{', '  "a": [', '    1', '  ]', '}'],
  ],
  [
    'states without events: texts and objects',
    { properties: { $ai_input_state: 'in' }, outputState: { a: 1 } },
    [],
    ['TRACE', RULE, '', SEP, '', 'TRACE INPUT:', '', 'in', '', SEP, '', 'TRACE OUTPUT:', '', '{', '  "a": 1', '}'],
  ],
  [
    'the text of an object stays a text',
    { input_state: "{'a': 1}" },
    [],
    ['TRACE', RULE, '', SEP, '', 'TRACE INPUT:', '', "{'a': 1}"],
  ],
  ['a number', { inputState: 7 }, [], ['TRACE', RULE, '', SEP, '', 'TRACE INPUT:', '', '7']],
  [
    'states that are messages',
    { inputState: [{ role: 'user', content: 'Hi' }], outputState: [{ role: 'assistant', content: 'Yo' }] },
    [],
    [
      'TRACE',
      RULE,
      '',
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
      'Yo',
    ],
  ],
  ['events hide the states', { inputState: 'in' }, [span('a')], tree('└─ [SPAN] a'), collapsed],
  [
    'include_hierarchy false shows the states',
    { inputState: 'in' },
    [span('a')],
    ['TRACE', RULE, '', SEP, '', 'TRACE INPUT:', '', 'in'],
    { includeHierarchy: false },
  ],
]);

describeTraces('contract/llm-surveys 5.8: lines of the tree', [
  [
    'branches of siblings and of their children',
    {},
    [span('a', span('b', span('c')), span('d')), span('e', span('f'))],
    tree('├─ [SPAN] a', '│  ├─ [SPAN] b', '│  │  └─ [SPAN] c', '│  └─ [SPAN] d', '└─ [SPAN] e', '   └─ [SPAN] f'),
    collapsed,
  ],
  [
    'a generation with all its figures',
    {},
    [
      gen({
        $ai_span_name: 'chat',
        $ai_model: 'gpt-4o',
        $ai_latency: 0.45,
        $ai_time_to_first_token: 0.2,
        $ai_total_cost_usd: 0.00234,
        $ai_is_error: true,
      }),
    ],
    tree('└─ [GEN] chat (0.45s, TTFT: 0.20s, $0.0023, gpt-4o, ERROR)'),
    collapsed,
  ],
  ['a generation without figures', {}, [gen({})], tree('└─ [GEN] generation'), collapsed],
  ['the error of a generation is one', {}, [gen({ $ai_error: 'x' })], tree('└─ [GEN] generation (ERROR)'), collapsed],
  [
    'a span: only $ai_is_error is an error',
    {},
    [node('$ai_span', { $ai_error: 'x', $ai_latency: 1 }), node('$ai_span', { $ai_is_error: true })],
    tree('├─ [SPAN] span (1.00s)', '└─ [SPAN] span (ERROR)'),
    collapsed,
  ],
  [
    'an embedding',
    {},
    [node('$ai_embedding', { $ai_model: 'ada', $ai_latency: 0.1, $ai_total_cost_usd: 0.1 }), node('$ai_embedding', {})],
    tree('├─ [EMBED] ada (0.10s, $0.1000, ada)', '└─ [EMBED] embedding'),
    collapsed,
  ],
  [
    'evaluations (contract/decisions 63)',
    {},
    [
      node('$ai_evaluation', {
        $ai_evaluation_name: 'r',
        $ai_evaluation_runtime: 'llm_judge',
        $ai_evaluation_result: true,
      }),
      node('$ai_evaluation', { $ai_evaluation_applicable: false }),
      node('$ai_evaluation', { $ai_evaluation_runtime: 'hog' }),
      node('$ai_evaluation', { $ai_evaluation_result: 'pass' }),
    ],
    tree(
      '├─ [EVAL] r (llm_judge, true)',
      '├─ [EVAL] evaluation (N/A)',
      '├─ [EVAL] evaluation (hog)',
      '└─ [EVAL] evaluation (pass)',
    ),
    collapsed,
  ],
  [
    'other events by their names',
    {},
    [node('$ai_trace', {}), node('purchase', {}), { event: { id: 'x' } }],
    tree('├─ [EVENT] $ai_trace', '├─ [EVENT] purchase', '└─ [EVENT] unknown'),
    collapsed,
  ],
  [
    'a node that is itself the event',
    {},
    [
      {
        id: 'n',
        event: '$ai_span',
        properties: { $ai_span_name: 'own' },
        children: [{ id: 'm', event: '$ai_metric' }],
      },
    ],
    tree('└─ [SPAN] own', '   └─ [EVENT] $ai_metric'),
    collapsed,
  ],
  ['nodes that are no objects are left out', {}, [span('a'), null, 'x'], tree('└─ [SPAN] a'), collapsed],
]);

const figures = (properties: Record<string, unknown>, line: string): Parameters<typeof describeTraces>[1][number] => [
  `${JSON.stringify(properties)} is ${line}`,
  {},
  [gen(properties)],
  tree(`└─ [GEN] ${line}`),
  collapsed,
];

describeTraces('contract/decisions 54: zero and odd values', [
  figures({ $ai_latency: 0 }, 'generation (0.00s)'),
  figures({ $ai_latency: 0.125 }, 'generation (0.12s)'),
  figures({ $ai_latency: 0.375 }, 'generation (0.38s)'),
  figures({ $ai_latency: 1.005 }, 'generation (1.00s)'),
  figures({ $ai_total_cost_usd: 0 }, 'generation ($0.0000)'),
  figures({ $ai_total_cost_usd: 0.03125 }, 'generation ($0.0312)'),
  figures({ $ai_total_cost_usd: -0.5 }, 'generation ($-0.5000)'),
  figures({ $ai_latency: '1.5' }, 'generation (1.50s)'),
  figures({ $ai_latency: ' 2e1 ' }, 'generation (20.00s)'),
  figures({ $ai_latency: 'fast' }, 'generation (fast)'),
  figures({ $ai_latency: { a: 1 }, $ai_total_cost_usd: [1] }, 'generation'),
  figures({ $ai_latency: null }, 'generation'),
  figures({ $ai_model: 7 }, '7 (7)'),
  figures({ $ai_span_name: { a: 'ü' } }, '{"a": "\\u00fc"}'),
  figures({ $ai_span_name: ['a', 1] }, '["a", 1]'),
]);

const inputText = [SEP, '', 'INPUT:', '', 'Hi'];

describeTraces('contract/llm-surveys 5.8: texts of nodes', [
  [
    'behind a marker',
    {},
    [gen({ $ai_input: 'Hi', $ai_model: 'm' })],
    tree(`└─ <<<GEN_EXPANDABLE|id-$ai_generation|[GEN] m (m)|${base64(inputText.join('\n'))}>>>`),
  ],
  [
    'the same marker for spans; a missing id is unknown',
    {},
    [{ event: { event: '$ai_span', properties: {} } }],
    tree(`└─ <<<GEN_EXPANDABLE|unknown|[SPAN] span|${base64(`SPAN\n${RULE}`)}>>>`),
  ],
  [
    'a link for other events',
    {},
    [{ event: { id: '$&', event: 'purchase' } }],
    tree('└─ <<<EVENT_LINK|$&|[EVENT]>>> purchase'),
  ],
  [
    'plain, with the prefix on every line',
    {},
    [gen({ $ai_input: 'Hi\n\nyou' }), gen({})],
    tree(
      '├─ [+] [GEN] generation',
      `│      ${SEP}`,
      '│      ',
      '│      INPUT:',
      '│      ',
      '│      Hi',
      '│      ',
      '│      you',
      '└─ [+] [GEN] generation',
      '       ',
    ),
    plain,
  ],
  [
    'numbers stand in front of all lines, once',
    {},
    [span('a')],
    [
      'L01: TRACE',
      `L02: ${RULE}`,
      'L03: ',
      `L04: ${SEP}`,
      'L05: ',
      'L06: TRACE HIERARCHY:',
      'L07: ',
      'L08: └─ [+] [SPAN] a',
      'L09:        A',
      `L10:        ${RULE}`,
    ],
    { ...plain, includeLineNumbers: true },
  ],
  [
    'max_depth: the children of a node at this depth are one line',
    {},
    [span('a', span('b', span('c'), span('d')), span('e'))],
    tree('└─ [SPAN] a', '   ├─ [SPAN] b', '   │    [... max depth reached]', '   └─ [SPAN] e'),
    { ...collapsed, maxDepth: 1 },
  ],
  [
    'max_depth 0: the roots alone',
    {},
    [span('a', span('b')), span('c')],
    tree('├─ [SPAN] a', '│    [... max depth reached]', '└─ [SPAN] c'),
    { ...collapsed, maxDepth: 0 },
  ],
]);
