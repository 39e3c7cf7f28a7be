import { expect, test } from '@jest/globals';
import { renderEvent } from './render-event.ts';
import { renderTrace } from './render-trace.ts';
import { memberOf } from './values/json-values.ts';
import { valuesMax } from './values/value-count.ts';
import { TextTooLarge } from './values/text-too-large.ts';

// Data that is made to break a renderer: it has a text, or the documented error.

const levels = 10_000;
const whole = { truncated: false, includeMarkers: false };

/** `levels` objects in one another, each below `key` of the one outside. */
function nested(key: string, inside: unknown, count = levels): unknown {
  let value = inside;
  for (let level = 0; level < count; level++) value = { [key]: value };
  return value;
}

const input = (content: unknown): Record<string, unknown> => ({
  event: '$ai_generation',
  properties: { $ai_input: [{ role: 'user', content }] },
});

/** A tree of one branch. */
function branch(depth: number, properties: Record<string, unknown>): unknown[] {
  let nodes: unknown[] = [];
  for (let level = 0; level < depth; level++)
    nodes = [{ event: { id: `n${depth - 1 - level}`, event: '$ai_span', properties }, children: nodes }];
  return nodes;
}

test('10,000 levels of content are text', () => {
  expect(renderEvent(input(nested('content', 'deep')), whole).text).toContain('"content": "deep"');
  expect(renderEvent(input(nested('other', 'deep')), whole).text).toContain('{"other": "deep"}');
  const results = Array.from({ length: levels }).reduce((output: unknown) => [{ type: 'tool-result', output }], 'deep');
  expect(renderEvent(input(results), whole).text).toContain('"deep"');
});

test('10,000 levels of JSON in texts are text', () => {
  const text = `${'{"a":'.repeat(levels)}1.0${'}'.repeat(levels)}`;
  const call = { function: { name: 'f', arguments: text } };
  const properties = { $ai_input: [{ role: 'a', content: '', tool_calls: [call] }], $ai_error: text };
  const { text: printed } = renderEvent({ event: '$ai_generation', properties }, whole);
  expect(printed.match(/"a": 1\.0/g)).toHaveLength(2);
  const list = `${'['.repeat(levels)}${']'.repeat(levels)}`;
  expect(renderEvent({ event: '$ai_span', properties: { $ai_input_state: list } }, whole).text).toContain(list);
});

test('10,000 levels of a state are text', () => {
  const properties = {
    $ai_span_name: nested('n', 1),
    $ai_input_state: nested('s', 'deep'),
    $ai_error: nested('e', 'deep'),
  };
  expect(renderEvent({ event: '$ai_span', properties }, whole).text).toContain('{"s": "deep"}');
});

test('a tree of 10,000 levels is text of 2,000,000 characters', () => {
  const result = renderTrace({}, branch(levels, { $ai_input_state: 'in' }), { ...whole, includeLineNumbers: true });
  expect(result.lineCount).toBe(7 + levels * 8);
  expect(result.charCount).toBeLessThanOrEqual(2_000_000);
  expect(result.truncated).toBe(true);
  const collapsed = renderTrace({}, branch(levels, {}), { collapsed: true });
  expect(collapsed.charCount).toBeLessThanOrEqual(2_000_000);
  expect(renderTrace({}, branch(levels, {})).truncated).toBe(true);
});

test('without a limit it is the documented error, before the text is made', () => {
  expect(() => renderTrace({}, branch(levels, { $ai_input_state: 'in' }), { ...whole, maxLength: 0 })).toThrow(
    TextTooLarge,
  );
});

test('a shallow tree of 10,000 nodes is whole', () => {
  const nodes = Array.from({ length: levels }, (_, index) => ({ event: { id: index, event: 'x', properties: {} } }));
  const { text, lineCount } = renderTrace({}, nodes, whole);
  expect(lineCount).toBe(7 + levels);
  expect(text.endsWith('└─ [EVENT] x')).toBe(true);
});

test('indentation cannot multiply the size without bound', () => {
  // Numbers behind 190 levels: each on a line of 380 blanks, 152 million characters of 1.6 million.
  const numbers = Array.from({ length: 400_000 }, () => 1);
  const span = (state: unknown): Record<string, unknown> => ({
    event: '$ai_span',
    properties: { $ai_input_state: state },
  });
  expect(() => renderEvent(span(nested('a', numbers, 190)), whole)).toThrow(TextTooLarge);
  // More than a string can hold.
  const text = `${'{"a":'.repeat(190)}[${'1.0,'.repeat(1_499_999)}1.0]${'}'.repeat(190)}`;
  expect(() => renderEvent(span(text), whole)).toThrow(TextTooLarge);
});

test('one line of 16 MiB, and 4 Mi lines', () => {
  const line = 'x'.repeat(16 << 20);
  expect(renderEvent(input(line), { ...whole, maxLength: 0 }).charCount).toBe((16 << 20) + 80 + 6 + 6 + 8);
  expect(
    renderEvent(input('\n'.repeat(4 << 20)), { ...whole, includeLineNumbers: true }).charCount,
  ).toBeLessThanOrEqual(2_000_000);
});

test('200,000 keys', () => {
  const members = Array.from({ length: 200_000 }, (_, index) => `"k${index}":${index}.0`);
  const call = { function: { name: 'f', arguments: `{${members.join(',')}}` } };
  const event = { event: '$ai_generation', properties: { $ai_input: [{ role: 'a', tool_calls: [call] }] } };
  expect(renderEvent(event, { maxLength: 0 }).text.endsWith(', k199999=199999.0)')).toBe(true);
});

// As maps these took more than the heap of a thread, which ends the process.
test('a text of more than four million values is not read: it stays a text', () => {
  const many = `[1.0${',{}'.repeat(valuesMax / 2)}]`;
  const call = { function: { name: 'f', arguments: `{"a":${many}}` } };
  const hasLine = (event: string, properties: Record<string, unknown>, line: string) =>
    renderEvent({ event, properties }, { ...whole, maxLength: 0 })
      .text.split('\n')
      .includes(line);
  const input = [{ role: 'a', tool_calls: [call] }];
  // Arguments of a call are printed by their text, without values.
  expect(hasLine('$ai_generation', { $ai_input: input }, `  - f(a=${many.replaceAll(',', ', ')})`)).toBe(true);
  expect(hasLine('$ai_generation', { $ai_error: `{"a":${many}}` }, `{"a":${many}}`)).toBe(true);
  for (const state of [many, `[True, '"'${',()'.repeat(valuesMax)}]`])
    expect(hasLine('$ai_span', { $ai_input_state: state }, state)).toBe(true);
  expect(hasLine('$ai_span', { $ai_input_state: `[1.0${',{}'.repeat(100)}]` }, '  1.0,')).toBe(true);
});

test('a hexadecimal number of a million digits is no literal', () => {
  const state = `[0x${'f'.repeat(1_000_000)}]`;
  const begun = performance.now();
  const { text } = renderEvent({ event: '$ai_span', properties: { $ai_input_state: state } }, whole);
  expect(text.endsWith(state)).toBe(true);
  // Printed in decimal digits it would take seconds.
  expect(performance.now() - begun).toBeLessThan(1_000);
});

test('__proto__ and the names of object methods are names like others', () => {
  const content = JSON.parse(
    '[{"type": "tool_use", "name": "f", "input": {"__proto__": {"a": 1}, "constructor": 2}}]',
  ) as unknown;
  expect(renderEvent(input(content)).text).toContain('f(__proto__={"a": 1}, constructor=2)');
  expect(memberOf({}, 'constructor')).toBeUndefined();
  const inherited = { event: 'toString', properties: {}, children: [] };
  expect(renderTrace({}, [inherited], { collapsed: true }).text).toContain('└─ [EVENT] toString');
  expect(
    renderEvent(JSON.parse('{"__proto__": {"properties": {"$ai_input": "x"}}}') as Record<string, unknown>).text,
  ).toBe('');
});

test('lone surrogates are replaced, in base64 too', () => {
  const nodes = [{ event: { id: '\udc00', event: '$ai_generation', properties: { $ai_input: 'a\ud83d' } } }];
  const { text, charCount } = renderTrace({ traceName: '\ud83d' }, nodes);
  expect(text.startsWith('\ufffd\n')).toBe(true);
  expect(text).toContain('|\ufffd|');
  const [, payload = ''] = /\|([\w+/=]+)>>>$/.exec(text) ?? [];
  expect(Buffer.from(payload, 'base64').toString()).toMatch(/\na\ufffd$/);
  expect(charCount).toBe([...text].length);
});
