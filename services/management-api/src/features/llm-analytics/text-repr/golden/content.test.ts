import { describeContents } from './testing/golden.ts';

const text = (value: string): unknown => ({ type: 'text', text: value });

describeContents('contract/llm-surveys 5.4: contents', [
  ['a text is itself', 'Hello\nworld', 'Hello\nworld'],
  ['an empty text is no line', '', null],
  ['null is no line', null, null],
  ['an empty array is no line', [], null],
  ['an object is its text', { text: 'inside' }, 'inside'],
  ['an object is its content', { content: { content: 'deep' } }, 'deep'],
  ['an object whose content is an array', { content: [text('A'), text('B')] }, 'A\n\nB'],
  ['any other object is JSON on one line', { a: 1, b: ['ü', null] }, '{"a": 1, "b": ["\\u00fc", null]}'],
  ['two text blocks are parted by an empty line', [text('A'), text('B')], 'A\n\nB'],
  ['texts among the blocks are parts', ['A', text('B'), 'C'], 'A\n\nB\n\nC'],
  ['input_text has no label', [{ type: 'input_text', text: 'q' }], 'q'],
  ['output_text has no label', [{ type: 'output_text', text: 'a' }], 'a'],
  ['summary_text has no label', [{ type: 'summary_text', text: 's' }], 's'],
  ['a block without type has no label', [{ text: 'plain' }], 'plain'],
  ['any other type is a label', [{ type: 'reasoning', text: 'so' }], '[REASONING]\n\nso'],
  ['a label behind a text', [text('A'), { type: 'note', text: 'n' }], 'A\n\n[NOTE]\n\nn'],
  ['a type that is no text', [{ type: 7, text: 'n' }], '[7]\n\nn'],
  ['tool_result with a text', [{ type: 'tool_result', content: '72F' }], '[TOOL_RESULT]\n\n72F'],
  [
    'a content that is no text is printed as Python does',
    [{ type: 'tool_result', content: [{ type: 'text', text: "it's" }, true, null, 1.5] }],
    `[TOOL_RESULT]\n\n[{'type': 'text', 'text': "it's"}, True, None, 1.5]`,
  ],
  [
    'also one of a list of texts alone',
    [{ type: 'tool_result', content: [text('Rain'), text('Sun')] }],
    "[TOOL_RESULT]\n\n[{'type': 'text', 'text': 'Rain'}, {'type': 'text', 'text': 'Sun'}]",
  ],
  ['a text that is a number', [{ type: 'text', text: 42 }], '42'],
  ['blocks without any text are skipped beside others', [text('A'), { type: 'source', url: 'u' }, text('')], 'A'],
  ['scalars among the blocks are skipped beside others', [1, text('A'), null, true], 'A'],
  ['no part at all: the array as Python prints it', [{ kind: 'x', n: 1 }], "[{'kind': 'x', 'n': 1}]"],
  ['an array of numbers', [1, 2.5, true], '[1, 2.5, True]'],
  ['that is cut to 500 characters', [{ kind: 'x'.repeat(600) }], `[{'kind': '${'x'.repeat(489)}...`],
  ['a number is printed', 5, '5'],
  ['true is printed as in Python', true, 'True'],
  ['zero is no content', 0, null],
]);

describeContents('contract/decisions 50: blocks whose text has a name of its own', [
  ['thinking', [{ type: 'thinking', thinking: 'hm', signature: 'sig' }], '[THINKING]\n\nhm'],
  ['refusal', [{ type: 'refusal', refusal: 'No.' }], '[REFUSAL]\n\nNo.'],
  ['redacted_thinking', [{ type: 'redacted_thinking', data: 'secret' }], '[REDACTED_THINKING]\n\n[redacted]'],
  ['thinking beside a text', [{ type: 'thinking', thinking: 'hm' }, text('A')], '[THINKING]\n\nhm\n\nA'],
  [
    'thinking beside a call keeps its label',
    [
      { type: 'thinking', thinking: 'hm' },
      { type: 'tool_use', name: 'f', input: {} },
    ],
    '[THINKING]\n\nhm\n\nf()',
  ],
  [
    'a reasoning block with a summary alone',
    [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 's' }] }],
    '[REASONING]\n\ns',
  ],
  [
    'a tool-result with an output of text',
    [{ type: 'tool-result', toolName: 'f', output: { type: 'text', value: 'ok' } }],
    '[Tool result: f]\n\nok',
  ],
  [
    'a tool-result with an output of JSON',
    [{ type: 'tool-result', toolName: 'f', output: { type: 'json', value: { t: 1 } } }],
    '[Tool result: f]\n\n{"t": 1}',
  ],
  [
    'a tool-result with an error',
    [{ type: 'tool-result', toolName: 'f', output: { type: 'error-text', value: 'boom' }, isError: true }],
    '[Tool result: f]\n\nboom',
  ],
  [
    'a tool-result with a result',
    [{ type: 'tool-result', toolName: 'f', result: [text('r')] }],
    '[Tool result: f]\n\nr',
  ],
  ['a tool-result without output', [{ type: 'tool-result', toolName: 'f' }], '[Tool result: f]'],
  ['a tool_result without content and name', [{ type: 'tool_result', output: 0 }], '[Tool result: unknown]\n\n0'],
  ['an empty output leaves the label alone', [{ type: 'tool_result', name: 'f', output: [] }], '[Tool result: f]'],
  [
    'a tool-result beside a call',
    [
      { type: 'tool-call', toolName: 'f', input: { a: 1 } },
      { type: 'tool-result', toolName: 'f', output: 'ok' },
    ],
    'f(a=1)\n\n[Tool result: f]\n\nok',
  ],
]);

describeContents('contract/decisions 50: media', [
  ['an image with a data URL', [{ type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }], '[IMAGE]'],
  [
    'an image with an address',
    [{ type: 'image_url', image_url: { url: 'https://x.test/a.png' } }],
    '[IMAGE] https://x.test/a.png',
  ],
  [
    'an address as a text',
    [{ type: 'input_image', image_url: 'https://x.test/b.png' }],
    '[IMAGE] https://x.test/b.png',
  ],
  [
    "Anthropic's image, by its media type",
    [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
    '[IMAGE] image/png',
  ],
  ['raw data is no address', [{ type: 'image', image: 'iVBORw0KGgo=' }], '[IMAGE]'],
  ['an address in data', [{ type: 'file', data: 'https://x.test/c.pdf' }], '[FILE] https://x.test/c.pdf'],
  ['data is no address', [{ type: 'file', data: 'AAAA' }], '[FILE]'],
  [
    "the AI SDK's file by its media type",
    [{ type: 'file', file: 'https://x.test/d.png', mediaType: 'image/png' }],
    '[FILE] image/png',
  ],
  [
    'media in a tool_result: its blocks, never data',
    [
      {
        type: 'tool_result',
        content: [text('See'), { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
      },
    ],
    '[TOOL_RESULT]\n\nSee\n\n[IMAGE] image/png',
  ],
  ['media in a content', [{ type: 'note', content: { type: 'image', image: 'AAAA' } }], '[NOTE]\n\n[IMAGE]'],
  ['audio', [{ type: 'input_audio', input_audio: { data: 'AAAA', format: 'wav' } }], '[AUDIO]'],
  ['audio with a media type', [{ type: 'audio', mime_type: 'audio/mp3', data: 'AAAA' }], '[AUDIO] audio/mp3'],
  ['video', [{ type: 'video', url: 'gs://b/v.mp4' }], '[VIDEO] gs://b/v.mp4'],
  ['a file by its name', [{ type: 'file', file: { filename: 'a.pdf', file_data: 'data:,x' } }], '[FILE] a.pdf'],
  [
    'the name wins over the media type',
    [{ type: 'file', filename: 'a.pdf', mediaType: 'application/pdf' }],
    '[FILE] a.pdf',
  ],
  [
    'the media type wins over the address',
    [{ type: 'file', mediaType: 'text/csv', url: 'https://x.test' }],
    '[FILE] text/csv',
  ],
  ['input_file', [{ type: 'input_file', file_id: 'f1', filename: 'b.txt' }], '[FILE] b.txt'],
  ['a document with a title', [{ type: 'document', title: 'Report', source: { data: 'AAAA' } }], '[FILE] Report'],
  ['an image beside a text', [text('See'), { type: 'image', image: 'AAAA' }], 'See\n\n[IMAGE]'],
  [
    'an image beside a call',
    [
      { type: 'image', image: 'AAAA' },
      { type: 'tool_use', name: 'f', input: {} },
    ],
    '[IMAGE]\n\nf()',
  ],
  ['an image that is no array', { type: 'image', image: 'AAAA' }, '[IMAGE]'],
  ['an image with a text is its text', [{ type: 'image', text: 'a cat' }], '[IMAGE]\n\na cat'],
]);

describeContents('contract/llm-surveys 5.4: calls inside contents', [
  ['tool-call with an input', [{ type: 'tool-call', toolName: 'f', input: { a: 1, b: 'x' } }], 'f(a=1, b="x")'],
  ['tool-call without input', [{ type: 'tool-call', toolName: 'f' }], 'f()'],
  ['tool-call without name', [{ type: 'tool-call', input: { a: [] } }], 'unknown(a=[])'],
  ['tool_use', [{ type: 'tool_use', id: 'i', name: 'f', input: { q: 'ü' } }], 'f(q="\\u00fc")'],
  [
    'tool_use with partial_json',
    [{ type: 'tool_use', name: 'f', input: {}, partial_json: '{"q": 1.50}' }],
    'f(q=1.50)',
  ],
  ['tool_use with half a JSON', [{ type: 'tool_use', name: 'f', input: {}, partial_json: '{"q": ' }], 'f()'],
  [
    'a text beside a call has no label',
    [
      { type: 'reasoning', text: 'so' },
      { type: 'tool_use', name: 'f' },
    ],
    'so\n\nf()',
  ],
  ['an object beside a call is JSON', [{ kind: 'x' }, { type: 'tool_use', name: 'f' }], '{"kind": "x"}\n\nf()'],
  [
    'a tool_result beside a call is its content',
    [
      { type: 'tool_result', content: 'r' },
      { type: 'tool_use', name: 'f' },
    ],
    'r\n\nf()',
  ],
  ['an empty text beside a call is nothing', [text(''), { type: 'tool_use', name: 'f' }], 'f()'],
  ['a content with a toolName is a call', [{ type: 'x', content: { toolName: 'f', args: { a: 1 } } }], 'f(a=1)'],
  [
    'a content with a result',
    [{ type: 'tool_use', name: 'f' }, { content: { toolName: 'f', result: 'ok' } }, { content: { result: 1 } }],
    'f()\n\n[Tool result: f]\n\nok\n\n[Tool result: unknown]\n\n1',
  ],
  [
    'a function block of an input is a call (contract/decisions 51)',
    [{ type: 'function', id: 'i', function: { name: 'f', arguments: '{"a": 1}' } }],
    'f(a=1)',
  ],
  [
    'a tool-call with a function object of an input is a call (contract/decisions 51)',
    [{ type: 'tool-call', id: 'i', function: { name: 'f', arguments: '{"a": 1}' } }, text('B')],
    'f(a=1)\n\nB',
  ],
  [
    "built-in tools of OpenAI's Responses",
    [text('A'), { type: 'image_generation_call', id: 'i', status: 'completed', result: 'A'.repeat(2345) }],
    'A\n\nimage_generation_call() (completed)\n{\n  "result": "[2,345 chars not shown]"\n}',
  ],
]);
