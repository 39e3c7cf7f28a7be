import { describeEvents, SEP } from './testing/golden.ts';

const NEXT = ['', SEP];

describeEvents('$ai_generation', [
  ['nothing at all is an empty text', {}, ['']],
  ['numbered it is one empty line', {}, ['L1: '], { includeLineNumbers: true }],
  ['null properties (privacy mode) are absent', { $ai_input: null, $ai_output_choices: null }, ['']],
  ['an input text', { $ai_input: 'Hello' }, [SEP, '', 'INPUT:', '', 'Hello']],
  ['empty inputs are none', { $ai_input: [], $ai_output: '', $ai_output_choices: {} }, ['']],
  [
    'an object as input',
    { $ai_input: { a: 'ü' } },
    [SEP, '', 'INPUT:', '', '[Unparsed input format: dict]', '{"a": "\\u00fc"}'],
  ],
  [
    'a long object as input is cut to 500 characters',
    { $ai_input: { a: 'x'.repeat(600) } },
    [SEP, '', 'INPUT:', '', '[Unparsed input format: dict]', `{"a": "${'x'.repeat(493)}...`],
  ],
  ['a whole number as input', { $ai_input: 7 }, [SEP, '', 'INPUT:', '', '[Unparsed input format: int]', '7']],
  ['a number as input', { $ai_input: 0.5 }, [SEP, '', 'INPUT:', '', '[Unparsed input format: float]', '0.5']],
  ['true as input', { $ai_input: true }, [SEP, '', 'INPUT:', '', '[Unparsed input format: bool]', 'true']],
  ['texts in an array are no messages', { $ai_input: ['a', 'b'] }, [SEP, '', 'INPUT:']],
  [
    'messages are parted by lines, their roles in capitals',
    {
      $ai_input: [
        { role: 'system', content: 'S' },
        { role: 'user', content: 'U' },
      ],
    },
    [SEP, '', 'INPUT:', '', '[1] SYSTEM', '', 'S', ...NEXT, '', '[2] USER', '', 'U'],
  ],
  [
    'what is no object is skipped, its number is kept',
    { $ai_input: ['x', { role: 'user', content: 'U' }, null] },
    [SEP, '', 'INPUT:', '', '[2] USER', '', 'U', ...NEXT],
  ],
  [
    'an empty content ends with the empty line behind the heading',
    { $ai_input: [{ role: 'assistant', content: '' }] },
    [SEP, '', 'INPUT:', '', '[1] ASSISTANT', ''],
  ],
  [
    'the type of a message stands for its role',
    { $ai_input: [{ type: 'human', content: 'Hi' }, { content: 'x' }] },
    [SEP, '', 'INPUT:', '', '[1] HUMAN', '', 'Hi', ...NEXT, '', '[2] UNKNOWN', '', 'x'],
  ],
  [
    'a role that is no text',
    { $ai_input: [{ role: ['a'], content: 'x' }] },
    [SEP, '', 'INPUT:', '', "[1] ['A']", '', 'x'],
  ],
  ['ß becomes SS', { $ai_input: [{ role: 'straße', content: 'x' }] }, [SEP, '', 'INPUT:', '', '[1] STRASSE', '', 'x']],
  [
    'input and output are parted by an empty line',
    { $ai_input: 'I', $ai_output: 'O' },
    [SEP, '', 'INPUT:', '', 'I', '', SEP, '', 'OUTPUT:', '', 'O'],
  ],
  ['an output alone begins with the separator', { $ai_output: 'O' }, [SEP, '', 'OUTPUT:', '', 'O']],
  [
    'an output text wins over choices',
    { $ai_output: 'O', $ai_output_choices: [{ role: 'assistant', content: 'C' }] },
    [SEP, '', 'OUTPUT:', '', 'O'],
  ],
  ['an output that is an object is nothing', { $ai_output: { answer: 1 } }, ['']],
  ['choices that are a text are nothing', { $ai_output_choices: 'C' }, ['']],
  [
    'choices inside an object',
    { $ai_output_choices: { choices: [{ message: { role: 'assistant', content: 'C' } }] } },
    [SEP, '', 'OUTPUT:', '', '[1] ASSISTANT', '', 'C'],
  ],
  [
    'choices without message, role and content are skipped, numbers restart',
    { $ai_output_choices: ['x', { index: 0 }, { message: { content: 'A' } }, { content: 'B' }] },
    [SEP, '', 'OUTPUT:', '', '[1] ASSISTANT', '', 'A', ...NEXT, '', '[2] ASSISTANT', '', 'B'],
  ],
  ['only such choices: no section', { $ai_output_choices: [{ index: 0 }] }, ['']],
  [
    'a choice that has an empty message is its own',
    { $ai_output_choices: [{ message: {}, role: 'assistant', content: 'A' }] },
    [SEP, '', 'OUTPUT:', '', '[1] ASSISTANT', '', 'A'],
  ],
  [
    'an object of OpenAI Responses in the choices wins over an output text',
    {
      $ai_output: 'O',
      $ai_output_choices: {
        object: 'response',
        output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'R' }] }],
      },
    },
    [SEP, '', 'OUTPUT:', '', '[1] ASSISTANT', '', 'R'],
  ],
  [
    'an object of OpenAI Responses in the output',
    { $ai_output: { object: 'response', output: [{ type: 'function_call', name: 'f', arguments: '{"a": 1}' }] } },
    [SEP, '', 'OUTPUT:', '', '[1] FUNCTION_CALL', '', 'f(a=1)'],
  ],
  [
    'an object of OpenAI Responses without items lets the text through',
    { $ai_output: 'O', $ai_output_choices: { object: 'response', output: [] } },
    [SEP, '', 'OUTPUT:', '', 'O'],
  ],
  [
    'function blocks of an object of OpenAI Responses are collected by nobody',
    {
      $ai_output: {
        object: 'response',
        output: [{ role: 'assistant', content: [{ type: 'function', function: { name: 'f', arguments: '' } }] }],
      },
    },
    [SEP, '', 'OUTPUT:', '', '[1] ASSISTANT', '', 'f()'],
  ],
]);

const item = (fields: Record<string, unknown>): Record<string, unknown> => ({ $ai_input: [fields] });
const itemLines = (heading: string, ...lines: string[]): string[] => [
  SEP,
  '',
  'INPUT:',
  '',
  `[1] ${heading}`,
  '',
  ...lines,
];

describeEvents('$ai_generation', [
  [
    'typed items: function_call',
    item({ type: 'function_call', id: 'i', call_id: 'c', name: 'f', arguments: '{"id": 12345678901234567890}' }),
    itemLines('FUNCTION_CALL', 'f(id=12345678901234567890)'),
  ],
  [
    'typed items: function_call without arguments has its input verbatim',
    item({ type: 'function_call', name: 'f', input: '{"a": 1}' }),
    itemLines('FUNCTION_CALL', 'f({"a": 1})'),
  ],
  [
    'typed items: custom_tool_call keeps its input',
    item({ type: 'custom_tool_call', name: 'sql', input: 'SELECT 1;\n-- {"a": 1}' }),
    itemLines('CUSTOM_TOOL_CALL', 'sql(SELECT 1;', '-- {"a": 1})'),
  ],
  [
    'typed items: function_call_output',
    item({ type: 'function_call_output', call_id: 'c', output: '72F' }),
    itemLines('FUNCTION_CALL_OUTPUT', '72F'),
  ],
  [
    'typed items: an output of blocks',
    item({
      type: 'custom_tool_call_output',
      output: [
        { type: 'output_text', text: 'a' },
        { type: 'input_image', image_url: 'data:x' },
      ],
    }),
    itemLines('CUSTOM_TOOL_CALL_OUTPUT', 'a\n\n[IMAGE]'),
  ],
  [
    'typed items: zero is an output',
    item({ type: 'function_call_output', output: 0 }),
    itemLines('FUNCTION_CALL_OUTPUT', '0'),
  ],
  [
    'typed items: the content stands for the output',
    item({ type: 'function_call_output', output: null, content: 'c' }),
    itemLines('FUNCTION_CALL_OUTPUT', 'c'),
  ],
  [
    'typed items: an empty output is not recorded',
    item({ type: 'function_call_output', output: {} }),
    itemLines('FUNCTION_CALL_OUTPUT', '[tool output not recorded]'),
  ],
  [
    'typed items: reasoning',
    item({
      type: 'reasoning',
      id: 'r',
      summary: [
        { type: 'summary_text', text: 'A' },
        { type: 'summary_text', text: 'B' },
      ],
    }),
    itemLines('REASONING', 'A', '', 'B'),
  ],
  [
    'typed items: reasoning that is encrypted',
    item({ type: 'reasoning', summary: [], encrypted_content: 'x' }),
    itemLines('REASONING', '[reasoning summary not recorded]'),
  ],
  [
    'typed items: additional_tools',
    item({ type: 'additional_tools', tools: [{ name: 'f', description: 'Does.' }] }),
    itemLines('ADDITIONAL_TOOLS', '', 'AVAILABLE TOOLS: 1', '', '  f()', '    Does.'),
  ],
  [
    'typed items: additional_tools without tools',
    item({ type: 'additional_tools', tools: [] }),
    itemLines('ADDITIONAL_TOOLS', '[tool catalog not recorded]'),
  ],
  [
    'typed items: others by their call, status and fields',
    item({ type: 'web_search_call', id: 'w', status: 'completed', action: { type: 'search', query: 'ü' } }),
    itemLines(
      'WEB_SEARCH_CALL',
      'web_search_call() (completed)',
      '{',
      '  "action": {',
      '    "type": "search",',
      '    "query": "\\u00fc"',
      '  }',
      '}',
    ),
  ],
  [
    'typed items: others with arguments',
    item({ type: 'mcp_call', name: 'm', arguments: '{"a": 1}', server_label: 's' }),
    itemLines('MCP_CALL', 'm(a=1)', '{', '  "server_label": "s"', '}'),
  ],
  [
    'typed items: long texts are shown by their length',
    item({ type: 'computer_call', screenshot: ['x'.repeat(2001), 'y'.repeat(2)] }),
    itemLines(
      'COMPUTER_CALL',
      'computer_call()',
      '{',
      '  "screenshot": [',
      '    "[2,001 chars not shown]",',
      '    "yy"',
      '  ]',
      '}',
    ),
  ],
  [
    'typed items: others without fields',
    item({ type: 'compaction', encrypted_content: 'x' }),
    itemLines('COMPACTION', 'compaction()'),
  ],
  [
    'typed items: a type with an empty role is a message',
    item({ type: 'ai', role: '', tool_calls: [] }),
    itemLines('AI'),
  ],
  ['blocks in place of messages', item({ type: 'text', text: 'T' }), itemLines('TEXT', 'T')],
  [
    'function blocks in place of messages',
    item({ type: 'function', function: { name: 'f', arguments: '{"a": 1}' } }),
    itemLines('FUNCTION', 'f(a=1)'),
  ],
  [
    'typed items pass through choices',
    {
      $ai_output_choices: [
        { type: 'reasoning', summary: [] },
        { role: 'assistant', content: 'C' },
      ],
    },
    [
      SEP,
      '',
      'OUTPUT:',
      '',
      '[1] REASONING',
      '',
      '[reasoning summary not recorded]',
      ...NEXT,
      '',
      '[2] ASSISTANT',
      '',
      'C',
    ],
  ],
]);

const otel = (parts: unknown[], role: unknown = 'assistant'): Record<string, unknown> => ({
  $ai_input: [{ role, parts }],
});

describeEvents('$ai_generation', [
  [
    'contract/decisions 56: texts, summaries and markers are joined by blanks, in order',
    otel([
      { type: 'text', content: 'A' },
      { type: 'blob', modality: 'image', content: 'AAAA' },
      { type: 'uri', modality: 'video', uri: 'https://x.test/v' },
      { type: 'file', file_id: 'f1' },
      { type: 'compaction', content: 'so far' },
      { type: 'text', content: 'B' },
    ]),
    itemLines('ASSISTANT', 'A [image] [video: https://x.test/v] [file: f1] so far B'),
  ],
  [
    'contract/decisions 56: markers without details',
    otel([{ type: 'blob' }, { type: 'file' }, { type: 'uri' }]),
    itemLines('ASSISTANT', '[media] [file] [media]'),
  ],
  [
    'contract/decisions 56: calls',
    otel([
      { type: 'tool_call', id: 'c', name: 'f', arguments: { a: 1 } },
      { type: 'server_tool_call', id: 'd', name: 'web', server_tool_call: { type: 'web_search', query: 'q' } },
    ]),
    itemLines('ASSISTANT', '', 'Tool calls: 2', '  - f(a=1)', '  - web(type="web_search", query="q")'),
  ],
  [
    'contract/decisions 56: results and reasoning are messages behind, and numbers are the places after this',
    {
      $ai_input: [
        {
          role: 'assistant',
          parts: [
            { type: 'reasoning', content: 'hm' },
            { type: 'text', content: 'A' },
          ],
        },
        { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', response: { t: 'ü' } }] },
        { role: 'user', content: 'U' },
      ],
    },
    [
      ...itemLines('ASSISTANT', 'A'),
      ...NEXT,
      ...['', '[2] THINKING', '', 'hm', ...NEXT],
      ...['', '[3] TOOL', '', '{"t": "\\u00fc"}', ...NEXT],
      ...['', '[4] USER', '', 'U'],
    ],
  ],
  [
    'contract/decisions 56: older and server-side names of results',
    otel(
      [
        { type: 'tool_call_response', result: 'r' },
        { type: 'server_tool_call_response', server_tool_call_response: [1] },
      ],
      'tool',
    ),
    [...itemLines('TOOL', 'r'), ...NEXT, '', '[2] TOOL', '', '[1]'],
  ],
  [
    'contract/decisions 56: parts without meaning leave the heading',
    otel([{ type: 'x' }, 'y']),
    itemLines('ASSISTANT'),
  ],
  [
    'contract/decisions 56: a message that has a content keeps it',
    { $ai_input: [{ role: 'user', content: 'C', parts: [{ type: 'text', content: 'P' }] }] },
    itemLines('USER', 'C'),
  ],
  [
    'contract/decisions 56: a role that is no text is no OTel message',
    otel([{ type: 'text', content: 'P' }], 7),
    itemLines('7'),
  ],
  [
    'contract/decisions 56: choices',
    { $ai_output_choices: [{ role: 'assistant', parts: [{ type: 'text', content: 'P' }], finish_reason: 'stop' }] },
    [SEP, '', 'OUTPUT:', '', '[1] ASSISTANT', '', 'P'],
  ],
]);

describeEvents('$ai_generation', [
  [
    'contract/llm-surveys 5.3: as long as the buffer, nothing is cut',
    { $ai_output: 'abcd' },
    [SEP, '', 'OUTPUT:', '', 'abcd'],
    { truncateBuffer: 4 },
  ],
  [
    'contract/llm-surveys 5.3: with markers',
    { $ai_output: 'abcdefghijkl' },
    [SEP, '', 'OUTPUT:', '', 'ab', '', '<<<TRUNCATED|Y2RlZmdoaWo=|8>>>', '', 'kl'],
    { truncateBuffer: 4 },
  ],
  [
    'contract/llm-surveys 5.3: without markers',
    { $ai_output: 'abcdefghijkl' },
    [SEP, '', 'OUTPUT:', '', 'ab', '', '... (8 chars truncated) ...', '', 'kl'],
    { truncateBuffer: 4, includeMarkers: false },
  ],
  [
    'contract/llm-surveys 5.3: an odd buffer keeps its half, rounded down, of each end',
    { $ai_output: 'abcdefgh' },
    [SEP, '', 'OUTPUT:', '', 'ab', '', '... (3 chars truncated) ...', '', 'gh'],
    { truncateBuffer: 5, includeMarkers: false },
  ],
  [
    'contract/llm-surveys 5.3: a buffer of 1 leaves no end',
    { $ai_output: 'abc' },
    [SEP, '', 'OUTPUT:', '', '', '', '<<<TRUNCATED|YWJj|2>>>', '', ''],
    { truncateBuffer: 1 },
  ],
  [
    'contract/llm-surveys 5.3: a buffer of 0',
    { $ai_output: 'abc' },
    [SEP, '', 'OUTPUT:', '', '', '', '... (3 chars truncated) ...', '', ''],
    { truncateBuffer: 0, includeMarkers: false },
  ],
  [
    'contract/llm-surveys 5.3: code points are counted, and none is split',
    { $ai_output: '😀😁😂😃😄😅' },
    [SEP, '', 'OUTPUT:', '', '😀', '', '<<<TRUNCATED|8J+YgfCfmILwn5iD8J+YhA==|4>>>', '', '😅'],
    { truncateBuffer: 2 },
  ],
  [
    'contract/llm-surveys 5.3: not when truncated is false',
    { $ai_output: 'abcdefghijkl' },
    [SEP, '', 'OUTPUT:', '', 'abcdefghijkl'],
    { truncateBuffer: 4, truncated: false },
  ],
  [
    'contract/llm-surveys 5.3: contents of messages too, calls not',
    { $ai_input: [{ role: 'u', content: 'abcdef', tool_calls: [{ name: 'f', args: { a: 'long enough' } }] }] },
    [
      SEP,
      '',
      'INPUT:',
      '',
      '[1] U',
      '',
      'a',
      '',
      '... (4 chars truncated) ...',
      '',
      'f',
      '',
      'Tool calls: 1',
      '  - f(a="long enough")',
    ],
    { truncateBuffer: 2, includeMarkers: false },
  ],
  [
    'contract/llm-surveys 5.2: a lone surrogate is U+FFFD',
    { $ai_output: 'a\ud83db' },
    [SEP, '', 'OUTPUT:', '', `a\ufffdb`],
  ],
  [
    'contract/llm-surveys 5.2: only a line feed ends a line',
    { $ai_output: 'a\r\nb\u2028c\u0085d' },
    ['L1: ' + SEP, 'L2: ', 'L3: OUTPUT:', 'L4: ', 'L5: a\r', 'L6: b\u2028c\u0085d'],
    { includeLineNumbers: true },
  ],
  [
    'markers inside texts are texts',
    { $ai_output: '<<<TRUNCATED|YQ==|1>>> [L9999]' },
    [SEP, '', 'OUTPUT:', '', '<<<TRUNCATED|YQ==|1>>> [L9999]'],
  ],
]);
