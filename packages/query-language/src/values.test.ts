import { describe, expect, test } from '@jest/globals';
import { bindValue, parseTime, type QueryValue } from './values.ts';

const span = { start: 0, end: 1 };

describe('bindValue', () => {
  test.each<[name: string, value: QueryValue, kind: string, bound: unknown]>([
    ['text', 'x', 'text', 'x'],
    ['a whole number', 5, 'integer', 5],
    ['a number that is not whole', 1.5, 'float', 1.5],
    ['a whole number beyond 2^53 is a float', 2 ** 60, 'float', 2 ** 60],
    ['a bigint', 2n ** 60n, 'integer', 2n ** 60n],
    ['a boolean', true, 'boolean', true],
    ['NULL', null, 'null', null],
    ['a time', new Date(0), 'datetime', '1970-01-01 00:00:00.000000'],
  ])('binds %s', (_, value, kind, bound) => {
    expect(bindValue(value, 'x', span)).toMatchObject({ value: bound, type: { kind } });
  });

  test.each<[name: string, value: QueryValue, item: unknown]>([
    ['texts', ['a', 'b'], { kind: 'text', nullable: false }],
    ['numbers, whole or not', [1, 2.5], { kind: 'float', nullable: false }],
    ['with NULL', ['a', null], { kind: 'text', nullable: true }],
    ['nothing', [], { kind: 'text', nullable: false }],
  ])('binds a list of %s', (_, value, item) => {
    expect(bindValue(value, 'x', span).type).toEqual({ kind: 'array', nullable: false, item });
  });

  test.each<[name: string, value: unknown]>([
    ['NaN', NaN],
    ['an infinity', Infinity],
    ['an object', { a: 1 }],
    ['a mixed list', ['a', 1]],
    ['a list of lists', [['a']]],
    ['a bigint beyond 64 bits', 2n ** 64n],
    ['an invalid date', new Date(NaN)],
  ])('refuses %s', (_, value) => {
    expect(() => bindValue(value as QueryValue, 'x', span)).toThrow(expect.objectContaining({ code: 'invalid_value' }));
  });
});

describe('parseTime', () => {
  test.each([
    ['2026-01-31', '2026-01-31 00:00:00.000000'],
    ['2026-01-31 10:20', '2026-01-31 10:20:00.000000'],
    ['2026-01-31T10:20:30Z', '2026-01-31 10:20:30.000000'],
    ['2026-01-31T10:20:30.123456789Z', '2026-01-31 10:20:30.123456'],
    ['2026-01-31T00:20:30+02:00', '2026-01-30 22:20:30.000000'],
    ['2024-02-29', '2024-02-29 00:00:00.000000'],
  ])('%s', (text, expected) => {
    expect(parseTime(text)).toBe(expected);
  });

  test.each(['', 'x', '2026-02-30', '2025-02-29', '2026-13-01', '2026-01-31 25:00', '1800-01-01', '2026', '12'])(
    'no time: %s',
    (text) => {
      expect(parseTime(text)).toBeUndefined();
    },
  );
});
