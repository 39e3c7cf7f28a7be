import { base64, describeEvents, SEP } from './testing/golden.ts';

const error = (...body: string[]): string[] => ['', SEP, '', 'ERROR:', '', ...body, ''];

describeEvents('$ai_generation', [
  ['contract/llm-surveys 5.6: a text', { $ai_error: 'boom\nat x' }, error('boom', 'at x')],
  ['without an error there is no section', { $ai_error: '', $ai_is_error: false }, ['']],
  ['an error without details', { $ai_is_error: true }, error('An error occurred (no details available)')],
  [
    'behind an input an empty line precedes',
    { $ai_input: 'I', $ai_error: 'boom' },
    [SEP, '', 'INPUT:', '', 'I', '', ...error('boom')],
  ],
  [
    'an object as lines',
    {
      $ai_error: {
        message: 'No',
        code: 401,
        retry: false,
        cause: null,
        list: ['a', { b: 1 }, [2]],
        deep: { x: { y: 'z' } },
      },
    },
    error(
      'message: No',
      'code: 401',
      'retry: False',
      'cause: None',
      'list:',
      '  - a',
      '  -',
      '    b: 1',
      '  -',
      '    - 2',
      'deep:',
      '  x:',
      '    y: z',
    ),
  ],
  ['empty containers are their keys', { $ai_error: { a: {}, b: [] } }, error('a:', 'b:')],
  [
    'the text of an object as lines, with its digits and in its order',
    { $ai_error: ' {"b": 1.0, "10": 12345678901234567890, "2": "x"}' },
    error('b: 1.0', '10: 12345678901234567890', '2: x'),
  ],
  ['the text of an array stays', { $ai_error: '[1, 2]' }, error('[1, 2]')],
  ['the text of an empty object stays', { $ai_error: '{}' }, error('{}')],
  ['an array is printed as Python does', { $ai_error: ['a', 1] }, error("['a', 1]")],
  ['a number', { $ai_error: 500 }, error('500')],
  ['errors are never cut', { $ai_error: 'x'.repeat(3000) }, error('x'.repeat(3000))],
]);

const parameters = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' }, unit: { enum: ['c'] }, bad: 'x' },
  required: ['city'],
};
const signature = '  get_weather(city: string, days?: integer, unit?: any)';
const tools = (count: number): unknown[] => Array.from({ length: count }, (_, index) => ({ name: `t${index}` }));

describeEvents('$ai_generation', [
  [
    "contract/llm-surveys 5.7: OpenAI's tool, the first sentence of its description",
    {
      $ai_tools: [
        {
          type: 'function',
          function: { name: 'get_weather', description: 'Weather of a city. In Celsius.\nMore', parameters },
        },
      ],
    },
    [SEP, '', 'AVAILABLE TOOLS: 1', '', signature, '    Weather of a city.'],
  ],
  [
    "Anthropic's tool",
    { $ai_tools: [{ name: 'get_weather', description: 'Weather', input_schema: parameters }] },
    [SEP, '', 'AVAILABLE TOOLS: 1', '', signature, '    Weather.'],
  ],
  [
    'inputSchema and parameters beside the name',
    {
      $ai_tools: [
        { name: 'get_weather', inputSchema: parameters },
        { name: 'g', parameters: { properties: { a: { type: ['string', 'null'] } } } },
      ],
    },
    [SEP, '', 'AVAILABLE TOOLS: 2', '', signature, '', "  g(a?: ['string', 'null'])"],
  ],
  [
    "Google's bundles are opened, what is no object is dropped",
    { $ai_tools: [{ functionDeclarations: [{ name: 'a' }, 'x', { name: 'b' }] }, null, 'y'] },
    [SEP, '', 'AVAILABLE TOOLS: 2', '', '  a()', '', '  b()'],
  ],
  [
    'an object of tools: its values',
    { $ai_tools: { x: { name: 'a' }, y: 1 } },
    [SEP, '', 'AVAILABLE TOOLS: 1', '', '  a()'],
  ],
  ['no tool left: no section', { $ai_tools: ['x', 1] }, ['']],
  ['a text is no list of tools', { $ai_tools: 'tools' }, ['']],
  [
    'a tool of unknown shape',
    { $ai_tools: [{ type: 'web_search', size: 'low' }] },
    [SEP, '', 'AVAILABLE TOOLS: 1', '', '  web_search()', '    {"type": "web_search", "size": "low"}.'],
  ],
  [
    'a tool of unknown shape and long JSON',
    { $ai_tools: [{ size: 'x'.repeat(200) }] },
    [SEP, '', 'AVAILABLE TOOLS: 1', '', '  UNKNOWN()', `    {"size": "${'x'.repeat(90)}.`],
  ],
  [
    'a description that is no text is none',
    {
      $ai_tools: [
        { name: 'a', description: 7 },
        { name: 'b', description: '' },
      ],
    },
    [SEP, '', 'AVAILABLE TOOLS: 2', '', '  a()', '', '  b()'],
  ],
  [
    'a required that is no list',
    { $ai_tools: [{ name: 'a', parameters: { required: 'b', properties: { b: { type: 'x' } } } }] },
    [SEP, '', 'AVAILABLE TOOLS: 1', '', '  a(b?: x)'],
  ],
  [
    'as many as the threshold are listed',
    { $ai_tools: tools(5) },
    [SEP, '', 'AVAILABLE TOOLS: 5', '', '  t0()', '', '  t1()', '', '  t2()', '', '  t3()', '', '  t4()'],
  ],
  [
    'more without markers are their number',
    { $ai_tools: tools(6) },
    [SEP, '', '[+] AVAILABLE TOOLS: 6'],
    { includeMarkers: false },
  ],
  [
    'the threshold is an option',
    { $ai_tools: [{ name: 'ü', description: 'D' }] },
    [SEP, '', `<<<TOOLS_EXPANDABLE|AVAILABLE TOOLS: 1|${base64('AVAILABLE TOOLS: 1\n\n  ü()\n    D.')}>>>`],
    { toolsCollapseThreshold: 0 },
  ],
  [
    'tools, input and output in this order',
    { $ai_output: 'O', $ai_input: 'I', $ai_tools: [{ name: 'a' }] },
    [SEP, '', 'AVAILABLE TOOLS: 1', '', '  a()', '', SEP, '', 'INPUT:', '', 'I', '', SEP, '', 'OUTPUT:', '', 'O'],
  ],
]);

const vector = [SEP, '', 'OUTPUT:', '', 'Embedding vector generated', ''];

describeEvents('$ai_embedding', [
  ['contract/llm-surveys 5.5: without input', {}, vector],
  ['an array of texts prints the heading alone', { $ai_input: ['a', 'b'] }, [SEP, '', 'INPUT:', '', ...vector]],
  ['an error behind an empty line', { $ai_error: 'boom' }, [...vector, '', ...error('boom')]],
]);

describeEvents('$ai_evaluation', [
  [
    'contract/llm-surveys 8: a judge with its model and reasons',
    {
      $ai_evaluation_name: 'relevance',
      $ai_evaluation_result: true,
      $ai_evaluation_runtime: 'llm_judge',
      $ai_evaluation_model: 'gpt-5-mini',
      $ai_evaluation_reasoning: 'On topic',
    },
    [SEP, '', 'EVALUATION: relevance | Result: true (llm_judge/gpt-5-mini) | Reasoning: On topic', ''],
  ],
  [
    'contract/decisions 63: no reasons, another runtime',
    {
      $ai_evaluation_name: 'r',
      $ai_evaluation_result: 'false',
      $ai_evaluation_runtime: 'hog',
      $ai_evaluation_model: 'x',
    },
    [SEP, '', 'EVALUATION: r | Result: false (hog)', ''],
  ],
  [
    'a judge without model',
    { $ai_evaluation_result: false, $ai_evaluation_runtime: 'llm_judge' },
    [SEP, '', 'EVALUATION: Unknown evaluation | Result: false (llm_judge)', ''],
  ],
  [
    'not applicable',
    { $ai_evaluation_name: 'r', $ai_evaluation_applicable: false, $ai_evaluation_result: true },
    [SEP, '', 'EVALUATION: r | Result: N/A', ''],
  ],
  [
    'not applicable, as a text',
    { $ai_evaluation_name: 'r', $ai_evaluation_applicable: 'false' },
    [SEP, '', 'EVALUATION: r | Result: N/A', ''],
  ],
  [
    'numeric',
    { $ai_evaluation_name: 'r', $ai_evaluation_result_type: 'numeric', $ai_evaluation_numeric_result: 0 },
    [SEP, '', 'EVALUATION: r | Result: 0', ''],
  ],
  [
    'categorical',
    {
      $ai_evaluation_name: 'r',
      $ai_evaluation_result_type: 'categorical',
      $ai_evaluation_categorical_result: ['good', 'short'],
    },
    [SEP, '', 'EVALUATION: r | Result: good, short', ''],
  ],
  [
    'sentiment',
    { $ai_evaluation_name: 'r', $ai_evaluation_result_type: 'sentiment', $ai_sentiment_label: 'positive' },
    [SEP, '', 'EVALUATION: r | Result: positive', ''],
  ],
  [
    "OTLP's label",
    { $ai_evaluation_name: 'r', $ai_evaluation_result: 'pass' },
    [SEP, '', 'EVALUATION: r | Result: pass', ''],
  ],
  [
    'nothing known',
    { $ai_evaluation_name: 'r', $ai_evaluation_result: null },
    [SEP, '', 'EVALUATION: r | Result: UNKNOWN', ''],
  ],
]);
