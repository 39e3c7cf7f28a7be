import { expect, test } from '@jest/globals';
import { traceIdOf } from '../fields/trace-path.ts';
import { traceUrl } from './trace-url.ts';

test.each<[string, string]>([
  ['01980a3c-5f6e', '01980a3c-5f6e'],
  ["a-_~.@()!':", "a-_~.@()!':"],
  ['a|b', 'a%7Cb'],
  ['a b/c?d#e%f', 'a%20b%2Fc%3Fd%23e%25f'],
  ['.', '~.'],
  ['..', '~..'],
  ['~..', '~~..'],
  ['...', '...'],
  ['~', '~'],
  ['größe$&+,;=', 'gr%C3%B6%C3%9Fe$&+,;='],
])('%s', (id, part) => {
  const url = traceUrl('https://x.test', 7, id);
  expect(url).toBe(`https://x.test/project/7/ai-observability/traces/${part}`);
  // A browser changes nothing of it, and the route finds the id again.
  expect(new URL(url).href).toBe(url);
  expect(traceIdOf(decodeURIComponent(url.slice(url.lastIndexOf('/') + 1)))).toBe(id);
});
