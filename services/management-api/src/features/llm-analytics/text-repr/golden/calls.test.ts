import { describeAnswers } from './testing/golden.ts';

const calls = (...tool_calls: unknown[]): { content: string; tool_calls: unknown[] } => ({ content: '', tool_calls });
const fn = (args: unknown): unknown => ({ id: 'c', type: 'function', function: { name: 'f', arguments: args } });
const one = (call: string): string[] => ['', 'Tool calls: 1', `  - ${call}`];

describeAnswers('contract/llm-surveys 5.4: tool calls', [
  ['the text of an object is arguments by name', calls(fn('{"a": 1, "b": "x"}')), one('f(a=1, b="x")')],
  ['an object is arguments by name', calls(fn({ a: [1, { b: null }], c: true })), one('f(a=[1, {"b": null}], c=true)')],
  ['an empty object is no arguments', calls(fn({})), one('f()')],
  ['an empty text is no arguments', calls(fn('')), one('f()')],
  ['missing arguments', calls({ function: { name: 'f' } }), one('f()')],
  ['the text of an empty object stays', calls(fn('{}')), one('f({})')],
  ['a text that is no JSON stays', calls(fn('{"a": ')), one('f({"a": )')],
  ['the text of an array stays', calls(fn('[1, 2]')), one('f([1, 2])')],
  ['an array is printed as Python does', calls(fn([1, 'a'])), one("f([1, 'a'])")],
  ['a number', calls(fn(5)), one('f(5)')],
  ['true', calls(fn(true)), one('f(True)')],
  ['zero and false are no arguments', calls(fn(0), fn(false)), ['', 'Tool calls: 2', '  - f()', '  - f()']],
  ["LangChain's form", calls({ name: 'g', args: { x: 1 }, id: 'c', type: 'tool_call' }), one('g(x=1)')],
  ['a missing name', calls({ args: { x: 1 } }), one('unknown(x=1)')],
  ['a function without name', calls({ function: { arguments: '{"x": 1}' } }), one('unknown(x=1)')],
  ['a call that is no object prints itself', calls('call me', 7), ['', 'Tool calls: 2', '  - call me', '  - 7']],
  ['a content in front of the calls', { content: 'Wait', tool_calls: [fn({ a: 1 })] }, ['Wait', ...one('f(a=1)')]],
  ['no calls, no lines', { content: 'Hi', tool_calls: [] }, ['Hi']],
]);

describeAnswers('contract/decisions 49: digits and keys of arguments', [
  ['a whole number beyond 2^53', calls(fn('{"id": 12345678901234567890}')), one('f(id=12345678901234567890)')],
  ['a float that is whole', calls(fn('{"a": 1.0, "b": 1.50}')), one('f(a=1.0, b=1.50)')],
  ['an exponent', calls(fn('{"a": 1e5, "b": 1E-7, "c": -0}')), one('f(a=1e5, b=1E-7, c=-0)')],
  ['keys that are numbers keep their places', calls(fn('{"b": 1, "10": 2, "2": 3}')), one('f(b=1, 10=2, 2=3)')],
  ['such keys inside', calls(fn('{"o": {"b": 1, "1": [1.0]}}')), one('f(o={"b": 1, "1": [1.0]})')],
  ['__proto__ is a key', calls(fn('{"__proto__": 1, "a": 1.0}')), one('f(__proto__=1, a=1.0)')],
  ['of a key that is there twice the last value counts', calls(fn('{"a": 1.0, "b": 2, "a": 3}')), one('f(a=3, b=2)')],
  [
    'escapes in a text that is read in order',
    calls(fn('{"a": "x\\"\\\\\\n\\u00e9", "b": 1.0, "\\u0031": 2}')),
    one('f(a="x\\"\\\\\\n\\u00e9", b=1.0, 1=2)'),
  ],
]);

describeAnswers('contract/decisions 51: calls among the blocks of an answer', [
  [
    'function blocks are collected, and no content is left',
    { content: [{ type: 'function', id: 'c', function: { name: 'f', arguments: '{"a": 1}' } }] },
    one('f(a=1)'),
  ],
  [
    'tool-call blocks with a function are collected too',
    { content: [{ type: 'tool-call', id: 'c', function: { name: 'f', arguments: '{"a": 1}' } }] },
    one('f(a=1)'),
  ],
  [
    'a text beside them stays',
    {
      content: [
        { type: 'text', text: 'Wait' },
        { type: 'function', function: { name: 'f', arguments: { a: 1 } } },
      ],
    },
    ['Wait', ...one('f(a=1)')],
  ],
  [
    'they replace tool_calls',
    { content: [{ type: 'function', function: { name: 'f', arguments: '' } }], tool_calls: [fn('{"b": 2}')] },
    one('f()'),
  ],
  [
    'a tool-call without function stays in the content',
    { content: [{ type: 'tool-call', toolName: 'f', input: { a: 1 } }] },
    ['f(a=1)'],
  ],
  [
    'a function block without function is not collected',
    { content: [{ type: 'function', name: 'f', arguments: '{"a": 1}' }] },
    ['f(a=1)'],
  ],
]);
