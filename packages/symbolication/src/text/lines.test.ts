import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lineAt, linesOf } from './lines.ts';

test.each([
  ['', [0]],
  ['a\nb', [0, 2]],
  ['a\r\nb\rc\u2028d\u2029', [0, 3, 5, 7, 9]],
])('lines of %j begin at %j', (text, starts) => {
  expect(linesOf(text).starts).toEqual(starts);
});

test('places in bytes are those of UTF-8, whatever the characters', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'ß', '€', '😀', '\ud800', '\udc00', '\n', '\r', '\u2028') });
  const property = fc.property(text, (given) => {
    const { starts, byteStarts, bytes } = linesOf(given);
    expect(byteStarts).toEqual(starts.map((start) => Buffer.byteLength(given.slice(0, start))));
    expect(bytes).toBe(Buffer.byteLength(given));
  });
  fc.assert(property);
});

test('a line goes from its start to that of the next', () => {
  expect([0, 1, 2, 3, 9].map((place) => lineAt([0, 2, 3], place))).toEqual([0, 0, 1, 2, 2]);
});
