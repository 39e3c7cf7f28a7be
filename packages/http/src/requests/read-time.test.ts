import { expect, test } from '@jest/globals';
import { readTime } from './read-time.ts';

test.each(['2026-01-02T03:04:05Z', '0001-01-01T00:00:00Z', '9999-12-31T23:59:59Z'])('%s is a time', (text) => {
  expect(readTime('since', text)).toEqual(new Date(text));
});

test.each([
  ['2016-12-31T23:59:60Z', 'a leap second'],
  ['0000-01-01T00:00:00Z', 'a year that Postgres does not read'],
  ['0001-01-01T00:00:00+14:00', 'the same, in UTC'],
  ['9999-12-31T23:59:59-12:00', 'a year of five digits, in UTC'],
])('%s is none: %s', (text) => {
  expect(() => readTime('since', text)).toThrow(
    expect.objectContaining({ code: 'invalid_input', details: expect.objectContaining({ attr: 'since' }) }),
  );
});
