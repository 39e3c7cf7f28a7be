import { expect, test } from '@jest/globals';
import { withoutEnd } from './without-end.ts';

test.each([
  ['https://a.example/', 'https://a.example'],
  ['https://a.example///', 'https://a.example'],
  ['/a//b', '/a//b'],
  ['///', ''],
  ['', ''],
])('%s without slashes at its end: %s', (text, expected) => {
  expect(withoutEnd(text, '/')).toBe(expected);
});
