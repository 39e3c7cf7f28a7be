import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { measureJson } from './measure-json.ts';

function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf));
}

/** Brackets that open, and separators. */
function valuesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members = Object.values(value);
  const separators = Math.max(0, members.length - 1) + (Array.isArray(value) ? 0 : members.length);
  return members.reduce((sum: number, member) => sum + valuesOf(member), 1 + separators);
}

test('the measure of a text is that of its value, wherever its bytes begin', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), fc.nat(5), (value, indent, offset) => {
      const text = JSON.stringify(value, null, indent);
      const bytes = Buffer.from(' '.repeat(offset) + text).subarray(offset);
      const hasUnicodeEscapes = text.replaceAll('\\\\', '').includes('\\u');
      expect(measureJson(bytes)).toEqual({ depth: levelsOf(value), values: valuesOf(value), hasUnicodeEscapes });
    }),
  );
});

test('quotes and escapes are found at every place of a word', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'é', '"', '\\', '\\"', '[', '\u0000')), fc.nat(5), (parts, offset) => {
      const text = `${' '.repeat(offset)}[${JSON.stringify(parts.join(''))},{}]`;
      expect(measureJson(Buffer.from(text))).toEqual({ depth: 2, values: 3, hasUnicodeEscapes: parts.includes('\0') });
    }),
  );
});

test.each([
  ['', 0],
  ['[', 1],
  ['"[[', 0],
  ['"\\"[', 0],
  ['"\\\\"[', 1],
  ['"aaaa\\', 0],
  ['[{"a":"}]"', 2],
  [']][[', 0],
  [']{[', 1],
  ['x[[', 2],
  [`"${'['.repeat(1000)}`, 0],
  ['['.repeat(1_000_000), 1_000_000],
])('and what is no JSON has one too, so that it can be refused before it is parsed: %.20s', (text, depth) => {
  expect(measureJson(Buffer.from(text)).depth).toBe(depth);
});
