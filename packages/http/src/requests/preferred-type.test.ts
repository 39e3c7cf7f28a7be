import { expect, test } from '@jest/globals';
import { preferredType } from './preferred-type.ts';

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
])('a client that accepts %j may be sent JSON: %s', (accept, expected) =>
  expect(preferredType(accept, ['application/json']) !== undefined).toBe(expected),
);

test.each([
  [undefined, 'application/json'],
  ['*/*', 'application/json'],
  ['text/html,application/xml;q=0.9,*/*;q=0.8', 'application/json'],
  ['text/csv', 'text/csv'],
  ['text/*', 'text/csv'],
  ['text/csv, */*;q=0.1', 'text/csv'],
  ['application/json;q=0.5, text/csv', 'text/csv'],
  ['text/csv, application/json', 'application/json'],
  ['text/html', undefined],
])('of JSON and CSV a client that accepts %j is sent %s', (accept, expected) =>
  expect(preferredType(accept, ['application/json', 'text/csv'])).toBe(expected),
);
