import { expect, test } from '@jest/globals';
import { countValues } from './count-values.ts';

test.each([
  ['{"a":[1,"b",{}],"c":2}', 9],
  [String.raw`["a,[{:\"",1]`, 3],
  [String.raw`["\\",1]`, 3],
  ['["never closed,,,', 2],
  ['', 1],
])('values of %s, at least as many as there are: %i', (json, count) => {
  expect(countValues(json, 1_000)).toBe(count);
});

test('counting ends above the limit', () => {
  expect(countValues(',,,,,', 2)).toBe(3);
});
