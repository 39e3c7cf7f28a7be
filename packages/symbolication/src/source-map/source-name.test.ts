import { expect, test } from '@jest/globals';
import { sourceName } from './source-name.ts';

test.each([
  ['src', 'a.js', 'src/a.js'],
  ['src/', 'a.js', 'src/a.js'],
  ['/src', '../a.js', '/src/../a.js'],
  ['src', '/a.js', '/a.js'],
  ['src', 'webpack:///./a.js', 'webpack:///./a.js'],
  ['src', 'file:///etc/passwd', 'file:///etc/passwd'],
  ['https://example.com/', './a.js', 'https://example.com/./a.js'],
  ['', 'a.js', 'a.js'],
  [null, '../../a.js', '../../a.js'],
])('root %s and source %s: %s', (root, source, name) => {
  expect(sourceName(root, source)).toBe(name);
});
