import { expect, test } from '@jest/globals';
import { isNewEnough } from './versions.ts';

test.each([
  ['26.7.3.1', '26.7', true],
  ['26.7', '26.7', true],
  ['26.10.1.1', '26.7', true],
  ['27.1.1', '26.7', true],
  ['26.6.9.12', '26.7', false],
  ['25.8.2.29', '26.7', false],
  ['18.4 (Debian 18.4-1.pgdg120+1)', '16', true],
  ['16.1', '16', true],
  ['17beta2', '16', true],
  ['15.14', '16', false],
  ['9.6.24', '16', false],
  ['', '16', false],
])('%s, where %s is needed: %s', (version, needed, expected) => {
  expect(isNewEnough(version, needed)).toBe(expected);
});
