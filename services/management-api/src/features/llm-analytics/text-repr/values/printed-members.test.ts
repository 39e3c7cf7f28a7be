import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isObject, keysOf, memberOf } from './json-values.ts';
import { parseJsonText } from './parse-json.ts';
import { printedMembers } from './printed-members.ts';
import { json } from './python-text.ts';

/** The members as they are printed by way of their values. */
function printedByValues(text: string): [string, string][] {
  const value = parseJsonText(text);
  return isObject(value) ? keysOf(value).map((key) => [key, json(memberOf(value, key))]) : [];
}

const rawText = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary', maxLength: 4 }).map((text) => JSON.stringify(text).slice(1, -1)),
      fc.constantFrom(
        '\\/',
        '\\u0041',
        '\\u00E9',
        '\\u000a',
        '\\ud83d',
        '\\"',
        '\\\\',
        'é',
        '│',
        '😀',
        ',',
        ':',
        '{',
        '}',
      ),
    ),
  )
  .map((parts) => `"${parts.join('')}"`);
const rawScalar = fc.oneof(
  rawText,
  fc.constantFrom('0', '-0', '1.0', '1e5', '12345678901234567890', '0.00001', '1E-7', 'true', 'false', 'null'),
);
const blank = fc.constantFrom('', ' ', '\n\t', '\r\n  ');
const { object } = fc.letrec<{ object: string; value: string }>((tie) => ({
  object: fc
    .tuple(blank, fc.array(fc.tuple(rawText, blank, tie('value')), { maxLength: 5 }))
    .map(
      ([space, members]) =>
        `{${space}${members.map(([key, gap, value]) => `${gap}${key}${gap}:${space}${value}${gap}`).join(`,${space}`)}}`,
    ),
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    rawScalar,
    tie('object'),
    fc
      .tuple(blank, fc.array(tie('value'), { maxLength: 4 }))
      .map(([space, items]) => `[${space}${items.join(`${space},${space}`)}]`),
  ),
}));

test('members are printed as by way of their values; a text that is left to these has a key twice, a DEL, or none', () => {
  let printedTexts = 0;
  fc.assert(
    fc.property(object, (text) => {
      const printed = printedMembers(text);
      if (printed === null) return;
      printedTexts++;
      expect([...printed]).toEqual(printedByValues(text));
    }),
    { numRuns: 300 },
  );
  expect(printedTexts).toBeGreaterThan(50);
});

test.each([
  '',
  '[]',
  '{}',
  '1',
  '"{}"',
  'null',
  '{"a":1',
  "{'a':1}",
  '{"a":1,"a":2}',
  '{"a":[{"b":1,"b":2}]}',
  '{"a":"\x7f"}',
])('left to values: %j', (text) => {
  expect(printedMembers(text)).toBeNull();
});

test('a deep text costs no stack', () => {
  const text = `{"a":${'[{"b":'.repeat(100_000)}1${'}]'.repeat(100_000)}}`;
  expect(printedMembers(text)?.get('a')).toBe(text.slice(5, -1).replaceAll(':', ': '));
});
