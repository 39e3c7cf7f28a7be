import { describeEvents, RULE, SEP } from './testing/golden.ts';

const span = (...lines: string[]): string[] => ['SPAN', RULE, ...lines];
const state = (...lines: string[]): string[] => span(SEP, '', 'INPUT STATE:', '', ...lines);

describeEvents('$ai_span', [
  ['contract/llm-surveys 5.5: a span without name', {}, ['SPAN', RULE]],
  ['a name in capitals', { $ai_span_name: 'my span' }, ['MY SPAN', RULE]],
  ['a name that is no text', { $ai_span_name: { a: 'b' } }, ['{"A": "B"}', RULE]],
  ['an error that is a text', { $ai_error: 'boom' }, span(SEP, '', 'ERROR:', '', 'boom')],
  ['an error that is an object', { $ai_error: { a: 'ü' } }, span(SEP, '', 'ERROR:', '', '{', '  "a": "\\u00fc"', '}')],
  ['an error that is an array', { $ai_error: ['a', 1] }, span(SEP, '', 'ERROR:', '', "['a', 1]")],
  ['$ai_is_error alone is no error of a span', { $ai_is_error: true }, span()],
  [
    'both states and an error follow one another',
    { $ai_error: 'boom', $ai_input_state: 'in', $ai_output_state: 'out' },
    span(SEP, '', 'ERROR:', '', 'boom', SEP, '', 'INPUT STATE:', '', 'in', SEP, '', 'OUTPUT STATE:', '', 'out'),
  ],
  ['an empty state is none', { $ai_input_state: {}, $ai_output_state: 0 }, span()],
  ['a number', { $ai_input_state: 1.5 }, state('1.5')],
  ['true', { $ai_input_state: true }, state('True')],
  ['an array', { $ai_input_state: [1, 'a', []] }, state('[', '  1,', '  "a",', '  []', ']')],
  [
    'an array of messages has two empty lines in front',
    { $ai_input_state: [{ role: 'user', content: 'Hi' }] },
    state('', '[1] USER', '', 'Hi'),
  ],
  [
    'the first entry decides',
    { $ai_input_state: [{ content: null }, { role: 'user', content: 'Hi' }] },
    state('', '[1] UNKNOWN', '', '', SEP, '', '[2] USER', '', 'Hi'),
  ],
  ['an array of other objects', { $ai_input_state: [{ a: {} }] }, state('[', '  {', '    "a": {}', '  }', ']')],
  [
    'an object with messages',
    { $ai_input_state: { messages: [{ type: 'human', content: 'Hi' }], other: 1 } },
    state('', '[1] HUMAN', '', 'Hi'),
  ],
  ['an object with empty messages', { $ai_input_state: { messages: [] } }, state('{', '  "messages": []', '}')],
  [
    'contract/decisions 52: a tool call with its context',
    {
      $ai_input_state: {
        __type: 'tool_call_with_context',
        state: { messages: [{ role: 'user', content: 'Hi' }], remaining_steps: 24 },
        tool_call: { name: 'search', args: { q: 'x' }, id: 'c' },
      },
    },
    state('', '[1] USER', '', 'Hi', '', 'Remaining steps: 24', '', 'Tool Call:', '  search(q="x")'),
  ],
  [
    'contract/decisions 52: a context of zero steps alone',
    { $ai_input_state: { __type: 'tool_call_with_context', state: { messages: [], remaining_steps: 0 } } },
    state('', 'Remaining steps: 0'),
  ],
  [
    'the result of a tool',
    { $ai_input_state: { type: 'tool', name: 'search', status: 'success', content: 'found' } },
    state('[TOOL RESULT] search (success)', '', 'found'),
  ],
  [
    'the result of a tool in blocks',
    {
      $ai_input_state: {
        type: 'tool',
        content: [
          { type: 'text', text: 'A' },
          { type: 'text', text: 'B' },
        ],
      },
    },
    state('[TOOL RESULT]', '', 'A', '', 'B'),
  ],
  [
    'no result of a tool',
    { $ai_input_state: { type: 'tool', name: 'f', content: '' } },
    state('[TOOL RESULT] f', '', '[tool output not recorded]'),
  ],
  [
    'the buffer counts in the JSON of a state',
    { $ai_input_state: { a: 'xxxxxxxx' } },
    state('{\n ', '', '... (15 chars truncated) ...', '', '"\n}'),
    { truncateBuffer: 6, includeMarkers: false },
  ],
]);

const literal = (value: string, ...lines: string[]): [string, Record<string, unknown>, string[]] => [
  `contract/llm-surveys 5.5: a text ${JSON.stringify(value).slice(0, 60)}`,
  { $ai_input_state: value },
  state(...lines),
];

describeEvents('$ai_span', [
  literal("{'a': True, 'b': None}", '{', '  "a": true,', '  "b": null', '}'),
  literal('{"a": 1}', '{', '  "a": 1', '}'),
  literal('{"a": true}', '{"a": true}'),
  literal('{"a": "true"}', '{', '  "a": "true"', '}'),
  literal("['x', (1, 2), -3, 1.50]", '[', '  "x",', '  [', '    1,', '    2', '  ],', '  -3,', '  1.50', ']'),
  literal(
    '[12345678901234567890, 1_000, 0x1F, .5, 1.]',
    '[',
    '  12345678901234567890,',
    '  1000,',
    '  31,',
    '  0.5,',
    '  1.0',
    ']',
  ),
  literal('{"b": 1, "10": 2}', '{', '  "b": 1,', '  "10": 2', '}'),
  literal("{1: 'a', None: 2, True: 3, 1.5: 4}", '{', '  "1": "a",', '  "null": 2,', '  "true": 3,', '  "1.5": 4', '}'),
  literal(
    "['it\\'s', \"q\\x41\\u00e9\\n\", 'a' 'b', r'\\d', '\\/']",
    '[',
    '  "it\'s",',
    '  "qA\\u00e9\\n",',
    '  "ab",',
    '  "\\\\d",',
    '  "\\\\/"',
    ']',
  ),
  literal('["\\/"]', '[', '  "\\\\/"', ']'),
  literal("['''a\nb''']", '[', '  "a\\nb"', ']'),
  literal('[1, # one\n 2,]', '[', '  1,', '  2', ']'),
  literal(' ([1]) \n', '[', '  1', ']'),
  literal('(1, 2)', '(1, 2)'),
  literal('{1, 2}', '{1, 2}'),
  literal("[b'a']", "[b'a']"),
  literal('[1+2j]', '[1+2j]'),
  literal('[007]', '[007]'),
  literal('[--1]', '[--1]'),
  literal('[1][0]', '[1][0]'),
  literal('[a]', '[a]'),
  literal('[1 2]', '[1 2]'),
  literal("{'a' 1}", "{'a' 1}"),
  literal('["a\nb"]', '["a', 'b"]'),
  literal('[1', '[1'),
  literal('[]', '[]'),
  literal('{}', '{}'),
  literal(`${'['.repeat(201)}${']'.repeat(201)}`, `${'['.repeat(201)}${']'.repeat(201)}`),
  literal('[1, 2, 3', '[1, 2, 3'),
]);
