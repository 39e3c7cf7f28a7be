import { expect, test } from '@jest/globals';
import { cut } from './cut.ts';

test.each([
  ['abc', 3, 'abc'],
  ['abcd', 3, 'abc…'],
  ['ab😀', 3, 'ab…'],
  ['a😀b', 3, 'a😀…'],
])('%s, at most %d: %s', (text, lengthMax, expected) => {
  expect(cut(text, lengthMax)).toBe(expected);
});
