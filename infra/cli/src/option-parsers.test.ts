import { expect, test } from '@jest/globals';
import { parseEnd } from './option-parsers.ts';

test('an end is in the future: a key that has ended opens nothing', () => {
  expect(parseEnd('9000-01-01')).toBe(Date.UTC(9000, 0, 1));
  expect(() => parseEnd('2020-01-01')).toThrow('"2020-01-01" is past: an end must be in the future.');
  expect(() => parseEnd('soon')).toThrow('is not a time in UTC');
});
