import { expect, test } from '@jest/globals';
import { acceptsJson } from './accepts-json.ts';

test.each([
  [undefined, true],
  ['', true],
  ['*/*', true],
  ['application/json', true],
  ['Application/JSON;charset=utf-8', true],
  ['application/*', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
  ['application/json, text/event-stream', true],
  ['text/html', false],
  ['text/html, application/json;q=0', false],
  ['*/*, application/json; q=0.0', false],
  ['*/*;q=0', false],
  ['application/json;q=x', false],
  ['nonsense', false],
])('a client that accepts %j may be sent JSON: %s', (accept, expected) => expect(acceptsJson(accept)).toBe(expected));
