import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { lineAt, type Lines, linesOf } from './lines.ts';

test.each([
  ['', [0]],
  ['a\nb', [0, 2]],
  ['a\r\nb\rc\u2028d\u2029', [0, 3, 5, 7, 9]],
])('lines of %j begin at %j', (text, starts) => {
  expect(linesOf(text, 9)?.starts).toEqual(starts);
});

test('places in bytes are those of UTF-8, whatever the characters', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'ß', '€', '😀', '\ud800', '\udc00', '\n', '\r', '\u2028') });
  const property = fc.property(text, (given) => {
    const { starts, byteStarts, bytes } = linesOf(given, 100) as Lines;
    expect(byteStarts).toEqual(starts.map((start) => Buffer.byteLength(given.slice(0, start))));
    expect(bytes).toBe(Buffer.byteLength(given));
  });
  fc.assert(property);
});

test('more lines than are allowed are not kept', () => {
  expect([linesOf('a\nb\n', 3)?.starts.length, linesOf('a\nb\n', 2)]).toEqual([3, null]);
});

test('a line goes from its start to that of the next', () => {
  expect([0, 1, 2, 3, 9].map((place) => lineAt([0, 2, 3], place))).toEqual([0, 0, 1, 2, 2]);
});
