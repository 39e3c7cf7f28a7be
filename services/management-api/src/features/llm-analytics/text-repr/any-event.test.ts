import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { codePoints } from './values/code-points.ts';
import type { RenderOptions } from './lines/options.ts';
import { renderEvent } from './render-event.ts';
import { renderTrace } from './render-trace.ts';

// Promises of contract/llm-surveys 5 that hold for any data.

const odd = fc.constantFrom(
  'a\nb',
  '\ud83d',
  '😀😀',
  '{"a": 1.0}',
  "{'a': True}",
  '',
  '<<<TRUNCATED|x|1>>> [L9]',
  '\r\n\u2028',
);
const leaf = fc.oneof(odd, fc.string({ unit: 'binary' }), fc.double(), fc.integer(), fc.boolean(), fc.constant(null));
const types = fc.constantFrom(
  'text', 'thinking', 'tool_use', 'tool-call', 'tool-result', 'tool_result', 'function', 'image', 'file', 'reasoning',
  'function_call', 'function_call_output', 'additional_tools', 'web_search_call', 'tool', 'tool_call', 'blob',
); // prettier-ignore
const keys = fc.constantFrom(
  'type', 'role', 'content', 'text', 'parts', 'tool_calls', 'function', 'name', 'arguments', 'args', 'input', 'output',
  'result', 'toolName', 'summary', 'tools', 'messages', 'message', 'choices', 'object', 'value', 'thinking', 'state',
  'tool_call', '__type', 'properties', 'parameters', '__proto__', '10', 'event', 'children', 'id',
); // prettier-ignore

/** JSON values made of the words that the rules know. */
const { value: anyValue } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    types,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.array(fc.tuple(keys, tie('value')), { maxLength: 6 }).map((members) => {
      const object: Record<string, unknown> = {};
      for (const [key, value] of members)
        Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
      return object;
    }),
  ),
}));

const names = fc.constantFrom(
  '$ai_input', '$ai_output', '$ai_output_choices', '$ai_tools', '$ai_error', '$ai_is_error', '$ai_input_state',
  '$ai_output_state', '$ai_span_name', '$ai_model', '$ai_latency', '$ai_total_cost_usd', '$ai_evaluation_result',
  '$ai_evaluation_name', '$ai_evaluation_result_type', '$ai_evaluation_categorical_result',
); // prettier-ignore
const anyEvent = fc.record({
  id: leaf,
  event: fc.oneof(fc.constantFrom('$ai_generation', '$ai_span', '$ai_embedding', '$ai_evaluation'), leaf),
  properties: fc.oneof(
    { arbitrary: fc.dictionary(names, anyValue, { maxKeys: 6 }), weight: 9 },
    { arbitrary: anyValue, weight: 1 },
  ),
});
const anyOptions: fc.Arbitrary<RenderOptions> = fc.record({
  maxLength: fc.constantFrom(0, 1, 50, 300, 1000, 2_000_000),
  truncateBuffer: fc.constantFrom(0, 1, 2, 5, 1000),
  truncated: fc.boolean(),
  includeMarkers: fc.boolean(),
  collapsed: fc.boolean(),
  includeHierarchy: fc.boolean(),
  includeLineNumbers: fc.boolean(),
  toolsCollapseThreshold: fc.constantFrom(0, 1, 5),
  maxDepth: fc.constantFrom(null, 0, 1),
});
const { tree: anyTree } = fc.letrec<{ tree: unknown[] }>((tie) => ({
  tree: fc.array(
    fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.oneof(anyEvent, anyValue),
      fc.record({ event: fc.oneof(anyEvent, anyValue), children: fc.oneof(tie('tree'), anyValue) }),
    ),
    { maxLength: 3 },
  ),
}));

/** The promises, for a way to render something. */
function expectPromises(
  render: (options: RenderOptions) => ReturnType<typeof renderEvent>,
  options: RenderOptions,
): void {
  const whole = render({ ...options, maxLength: 0 });
  const { text, charCount, truncated, lineCount, marks } = render(options);
  expect(text.isWellFormed()).toBe(true);
  expect(charCount).toBe(codePoints(text));
  expect(charCount).toBe([...text].length);
  expect(whole.truncated).toBe(false);
  expect(truncated).toBe(options.maxLength > 0 && whole.charCount > options.maxLength);
  if (truncated) expect(charCount).toBeLessThanOrEqual(options.maxLength);
  else expect(text).toBe(whole.text);
  const lines = whole.text.split('\n');
  expect(lines).toHaveLength(lineCount);
  for (const { firstLine, lastLine } of marks) {
    expect(firstLine).toBeGreaterThanOrEqual(1);
    expect(lastLine).toBeGreaterThanOrEqual(firstLine);
    expect(lastLine).toBeLessThanOrEqual(lineCount);
  }
  if (options.includeLineNumbers) {
    const bare = render({ ...options, maxLength: 0, includeLineNumbers: false }).text.split('\n');
    const width = String(lineCount).length;
    expect(lines).toEqual(bare.map((line, index) => `L${String(index + 1).padStart(width, '0')}: ${line}`));
  }
}

test('any event has a text that keeps all promises', () => {
  fc.assert(
    fc.property(anyEvent, anyOptions, (event, options) => {
      expectPromises((all) => renderEvent(event, all), options);
    }),
    { numRuns: 2000 },
  );
});

test('any trace has a text that keeps all promises', () => {
  fc.assert(
    fc.property(anyEvent, anyTree, anyOptions, (trace, tree, options) => {
      expectPromises((all) => renderTrace(trace, tree, all), options);
    }),
    { numRuns: 1000 },
  );
});

const word = fc.integer({ min: 100_000_000, max: 999_999_999 }).map((number) => `w${number}`);
const block = fc.oneof(
  word.map((text) => ({ type: 'text', text })),
  word.map((thinking) => ({ type: 'thinking', thinking })),
  word.map((refusal) => ({ type: 'refusal', refusal })),
  word.map((content) => ({ type: 'tool_result', content })),
  fc.tuple(word, word).map(([name, q]) => ({ type: 'tool_use', name, input: { q } })),
  fc.tuple(word, word).map(([toolName, q]) => ({ type: 'tool-call', toolName, input: { q } })),
  fc.tuple(word, word).map(([toolName, value]) => ({ type: 'tool-result', toolName, output: { type: 'text', value } })),
  fc.tuple(word, word).map(([name, q]) => ({ type: 'function', function: { name, arguments: JSON.stringify({ q }) } })),
  word.map((filename) => ({ type: 'file', filename })),
);
const call = fc.oneof(
  fc.tuple(word, word).map(([name, q]) => ({ function: { name, arguments: JSON.stringify({ q, n: 1.5 }) } })),
  fc.tuple(word, word).map(([name, q]) => ({ name, args: { q } })),
);
const message = fc.oneof(
  fc.record({
    role: word,
    content: fc.oneof(word, fc.array(block, { minLength: 1, maxLength: 4 })),
    tool_calls: fc.array(call, { maxLength: 2 }),
  }),
  fc.tuple(word, word).map(([name, q]) => ({ type: 'function_call', name, arguments: JSON.stringify({ q }) })),
  fc.record({ type: fc.constant('function_call_output'), output: word }),
  fc.record({
    role: word,
    parts: fc.array(
      word.map((content) => ({ type: 'text', content })),
      { minLength: 1 },
    ),
  }),
);
const answer = fc.record({ role: word, content: fc.oneof(word, fc.array(block, { minLength: 1, maxLength: 4 })) });
const conversation = fc.record({
  id: word,
  event: fc.constant('$ai_generation'),
  properties: fc.record({
    $ai_tools: fc.array(fc.record({ name: word, description: word }), { maxLength: 5 }),
    $ai_input: fc.array(message, { maxLength: 5 }),
    $ai_output_choices: fc.array(answer, { maxLength: 3 }),
    $ai_error: fc.oneof(word, fc.record({ message: word, deep: fc.record({ list: fc.array(word) }) })),
  }),
});

test('no word of a conversation is lost, in an event or in a tree', () => {
  fc.assert(
    fc.property(conversation, (event) => {
      const words = JSON.stringify(event.properties).match(/w\d{9}/g) ?? [];
      const whole = { truncated: false, includeMarkers: false };
      const trace = renderTrace({}, [{ event: { id: 's', event: '$ai_span' }, children: [{ event }] }], whole).text;
      const { text } = renderEvent(event, whole);
      const lost = words.filter((found) => [text, trace].some((printed) => !printed.toLowerCase().includes(found)));
      expect(lost).toEqual([]);
      expect(renderEvent(event, { ...whole, truncateBuffer: 1 }).text).toBe(text);
    }),
    { numRuns: 500 },
  );
});
