import { describeEvents, describeTraces, RULE, SEP } from './testing/golden.ts';

// Events as the SDKs of PostHog send them.

const NEXT = ['', SEP];
const first = (role: string): string[] => ['', `[1] ${role}`, ''];
const next = (number: number, role: string): string[] => [...NEXT, '', `[${number}] ${role}`, ''];
const inputOf = (...lines: string[]): string[] => [SEP, '', 'INPUT:', ...lines];
const outputOf = (...lines: string[]): string[] => [SEP, '', 'OUTPUT:', ...lines];

describeEvents('$ai_generation', [
  [
    'openai chat: a call, its result and an answer',
    {
      $ai_lib: 'posthog-python',
      $ai_model: 'gpt-4o',
      $ai_input: [
        { role: 'system', content: 'Be brief.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Weather?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'c1',
              type: 'function',
              function: { name: 'get_weather', arguments: '{"city":"Paris","id":90071992547409931}' },
            },
          ],
          refusal: null,
        },
        { role: 'tool', tool_call_id: 'c1', content: '{"t": 21}' },
      ],
      $ai_output_choices: [{ role: 'assistant', content: [{ type: 'text', text: '21 °C' }] }],
    },
    [
      ...inputOf(
        ...first('SYSTEM'),
        'Be brief.',
        ...next(2, 'USER'),
        'Weather?',
        '',
        '[IMAGE]',
        ...next(3, 'ASSISTANT'),
      ),
      ...['', 'Tool calls: 1', '  - get_weather(city="Paris", id=90071992547409931)'],
      ...[...next(4, 'TOOL'), '{"t": 21}', ''],
      ...outputOf(...first('ASSISTANT'), '21 °C'),
    ],
  ],
  [
    'openai chat: an answer of a text and a function',
    {
      $ai_output_choices: [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Let me look.' },
            { type: 'function', id: 'c1', function: { name: 'search', arguments: '{"q": "a"}' } },
          ],
        },
      ],
    },
    outputOf(...first('ASSISTANT'), 'Let me look.', '', 'Tool calls: 1', '  - search(q="a")'),
  ],
  [
    'openai responses: an answer that mixes blocks and items',
    {
      $ai_input: [
        { role: 'user', content: 'Draw' },
        { type: 'function_call', name: 'f', arguments: '{}' },
      ],
      $ai_output_choices: [
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', id: 'r', summary: [{ type: 'summary_text', text: 'Think' }] },
            { type: 'image_generation_call', id: 'i', status: 'completed', result: 'A'.repeat(5000) },
            { type: 'text', text: 'Done' },
          ],
        },
      ],
    },
    [
      ...inputOf(...first('USER'), 'Draw', ...next(2, 'FUNCTION_CALL'), 'f({})', ''),
      ...outputOf(...first('ASSISTANT'), '[REASONING]', '', 'Think', ''),
      ...['image_generation_call() (completed)', '{', '  "result": "[5,000 chars not shown]"', '}', '', 'Done'],
    ],
  ],
  [
    'anthropic: the system prompt first, blocks, arguments as objects',
    {
      $ai_input: [
        { role: 'system', content: 'Be kind.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hi' },
            { type: 'image', source: { type: 'base64', media_type: 'image/jpeg', data: 'AA' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm', signature: 's' },
            { type: 'tool_use', id: 't', name: 'search', input: { q: 'x' } },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'found' }] },
      ],
      $ai_output_choices: [
        {
          role: 'assistant',
          content: [
            { type: 'redacted_thinking', data: 'xyz' },
            { type: 'text', text: 'Yes' },
            { type: 'function', id: 't', function: { name: 'search', arguments: { q: 'y' } } },
          ],
        },
      ],
    },
    [
      ...inputOf(
        ...first('SYSTEM'),
        'Be kind.',
        ...next(2, 'USER'),
        'Hi',
        '',
        '[IMAGE] image/jpeg',
        ...next(3, 'ASSISTANT'),
      ),
      ...['[THINKING]', '', 'hm', '', 'search(q="x")', ...next(4, 'USER'), '[TOOL_RESULT]', '', 'found', ''],
      ...outputOf(...first('ASSISTANT'), '[REDACTED_THINKING]', '', '[redacted]', '', 'Yes'),
      ...['', 'Tool calls: 1', '  - search(q="y")'],
    ],
  ],
  [
    'gemini: parts as blocks',
    {
      $ai_tools: [
        {
          functionDeclarations: [
            { name: 'f', description: 'Finds', parameters: { properties: { q: { type: 'STRING' } }, required: ['q'] } },
          ],
        },
      ],
      $ai_input: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'See' },
            { type: 'video', mime_type: 'video/mp4' },
          ],
        },
      ],
      $ai_output_choices: [
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm' },
            { type: 'function', function: { name: 'f', arguments: { q: 'ü' } } },
          ],
        },
      ],
    },
    [
      ...[SEP, '', 'AVAILABLE TOOLS: 1', '', '  f(q: STRING)', '    Finds.', ''],
      ...inputOf(...first('USER'), 'See', '', '[VIDEO] video/mp4', ''),
      ...outputOf(...first('ASSISTANT'), '[THINKING]', '', 'hm', '', 'Tool calls: 1', '  - f(q="\\u00fc")'),
    ],
  ],
  [
    'vercel: calls and results in the input, collected calls in the answer',
    {
      $ai_input: [
        { role: 'posthog', content: '[2 messages omitted]' },
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'c', toolName: 'f', input: { a: 1 } }] },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'c', toolName: 'f', output: { type: 'json', value: { ok: true } } },
          ],
        },
      ],
      $ai_output_choices: [
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'so' },
            { type: 'tool-call', id: 'd', function: { name: 'g', arguments: '{"b": 2}' } },
          ],
        },
      ],
    },
    [
      ...inputOf(...first('POSTHOG'), '[2 messages omitted]', ...next(2, 'ASSISTANT'), 'f(a=1)', ...next(3, 'TOOL')),
      ...['[Tool result: f]', '', '{"ok": true}', ''],
      ...outputOf(...first('ASSISTANT'), 'so', '', 'Tool calls: 1', '  - g(b=2)'),
    ],
  ],
  [
    'vercel: an answer of reasoning, a file and a source',
    {
      $ai_output_choices: [
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'so' },
            { type: 'file', name: 'generated_file', mediaType: 'image/png', data: 'AA' },
            { type: 'source', source: { url: 'https://x.test' } },
          ],
        },
      ],
    },
    outputOf(...first('ASSISTANT'), '[REASONING]', '', 'so', '', '[FILE] generated_file'),
  ],
  [
    'langchain: calls in the form of OpenAI, additional keys ignored',
    {
      $ai_input: [{ role: 'human', content: 'Hi', additional_kwargs: {}, example: false }],
      $ai_output_choices: [
        {
          role: 'assistant',
          content: '',
          tool_calls: [{ type: 'function', id: 'c', function: { name: 'f', arguments: '{"a": 1}' } }],
        },
      ],
    },
    [...inputOf(...first('HUMAN'), 'Hi', ''), ...outputOf(...first('ASSISTANT'), '', 'Tool calls: 1', '  - f(a=1)')],
  ],
  [
    'openai-agents: the items of an answer as they come',
    {
      $ai_output_choices: [
        { type: 'function_call', id: 'f', call_id: 'c', name: 'f', arguments: '{"a": 1}', status: 'completed' },
      ],
    },
    outputOf(...first('FUNCTION_CALL'), 'f(a=1)'),
  ],
  [
    '@openai/agents: the results of calls have a role beside their type',
    {
      $ai_input: [
        { type: 'message', role: 'user', content: 'Hi' },
        {
          type: 'function_call',
          callId: 'c',
          name: 'f',
          arguments: '{"a": 1}',
          status: 'completed',
          role: 'assistant',
        },
        {
          ...{ type: 'function_call_result', name: 'f', callId: 'c', status: 'completed', role: 'tool' },
          output: { type: 'text', text: 'sunny' },
        },
      ],
    },
    inputOf(...first('USER'), 'Hi', ...next(2, 'ASSISTANT'), 'f(a=1)', ...next(3, 'TOOL'), 'sunny'),
  ],
  [
    'openai-agents of posthog-python with Responses: an answer that became a text of Python',
    {
      $ai_output_choices: ["ResponseOutputMessage(id='m', content=[ResponseOutputText(text='Hi')])", '', 7],
    },
    outputOf(...first('ASSISTANT'), "ResponseOutputMessage(id='m', content=[ResponseOutputText(text='Hi')])"),
  ],
  [
    'privacy mode: the error alone',
    { $ai_input: null, $ai_output_choices: null, $ai_is_error: true, $ai_error: 'RateLimitError' },
    ['', SEP, '', 'ERROR:', '', 'RateLimitError', ''],
  ],
]);

describeEvents('$ai_span', [
  [
    'langchain: a chain whose state has messages',
    {
      $ai_span_name: 'RunnableSequence',
      $ai_parent_id: null,
      $ai_input_state: { messages: [{ role: 'human', content: 'Hi' }] },
      $ai_output_state: 'done',
    },
    [
      'RUNNABLESEQUENCE',
      RULE,
      SEP,
      '',
      'INPUT STATE:',
      '',
      '',
      '[1] HUMAN',
      '',
      'Hi',
      SEP,
      '',
      'OUTPUT STATE:',
      '',
      'done',
    ],
  ],
  [
    'openai-agents: a tool',
    { $ai_span_name: 'search', $ai_span_type: 'tool', $ai_input_state: '{"q":"x"}', $ai_output_state: 'found' },
    ['SEARCH', RULE, SEP, '', 'INPUT STATE:', '', '{', '  "q": "x"', '}', SEP, '', 'OUTPUT STATE:', '', 'found'],
  ],
]);

describeTraces('traces of SDKs', [
  [
    'openai-agents: $ai_trace_name has been made the name of the trace',
    { id: 't', traceName: 'Agent workflow', properties: { $ai_trace_id: 't' } },
    [],
    ['AGENT WORKFLOW', RULE],
  ],
]);
