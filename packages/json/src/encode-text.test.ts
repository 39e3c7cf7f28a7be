import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { encodeText } from './encode-text.ts';

const printed = (text: string): string => `{"a":"é","b":${JSON.stringify(text)},"c":1}`;
const encoded = (text: string): string => Buffer.from(encodeText('{"a":"é","b":', text, ',"c":1}')).toString();

test('texts of all characters and lengths are printed as JSON.stringify prints them', () => {
  const part = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.constantFrom('plain words', 'é', '│', '"', '\\', '\n', '\u0001', '\u007f'),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.constantFrom(1, 3_000, 20_000), (parts, times) => {
      const text = parts.join('').toWellFormed().repeat(times);
      expect(encoded(text)).toBe(printed(text));
    }),
    { numRuns: 60 },
  );
});

test.each(['\0', '"', 'x', 'é', '│', '😀'])('many of one character: %j', (character) => {
  for (const length of [16_383, 16_384, 16_385, 100_001]) {
    const text = character.repeat(length);
    expect(encoded(text)).toBe(printed(text));
  }
});

test('more than 512 MiB are refused', () => {
  expect(() => encodeText('', '\0'.repeat(90_000_000), '')).toThrow(RangeError);
});
