import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { depthOf } from './depth-of.ts';

function levelsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(levelsOf));
}

test('the depth of a text is that of its value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1), (value, indent) =>
      expect(depthOf(Buffer.from(JSON.stringify(value, null, indent)))).toBe(levelsOf(value)),
    ),
  );
});

test.each([
  ['', 0],
  ['[', 1],
  ['"[[', 0],
  ['"\\"[', 0],
  ['"\\\\"[', 1],
  ['[{"a":"}]"', 2],
  [']][[', 0],
  [']{[', 1],
  ['x[[', 2],
  [`"${'['.repeat(1000)}`, 0],
  ['['.repeat(1_000_000), 1_000_000],
])('and what is no JSON has one too, so that it can be refused before it is parsed: %.20s', (text, depth) => {
  expect(depthOf(Buffer.from(text))).toBe(depth);
});
