import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { compare, decimalText, isOnStep, readDecimal, type Decimal } from './decimal.ts';

const of = (value: string | number): Decimal => {
  const decimal = readDecimal(value);
  if (decimal === null) throw new Error(`${value} is no number`);
  return decimal;
};

describe('exact decimals', () => {
  test.each<[string | number, bigint, number]>([
    [' 4.50 ', 450n, 2],
    ['-.5', -5n, 1],
    ['+7.', 7n, 0],
    [1e-7, 1n, 7],
    [1e21, 10n ** 21n, 0],
    ['2.5e1', 25n, 0],
    ['2.55e1', 255n, 1],
    [-0, 0n, 0],
  ])('%j', (text, digits, scale) => expect(readDecimal(text)).toEqual({ digits, scale }));

  test.each([
    '',
    ' ',
    '.',
    'e5',
    '1e',
    '1,5',
    '0x1',
    'NaN',
    'Infinity',
    '--1',
    '1e99999',
    '１',
    '9'.repeat(401),
    NaN,
    Infinity,
  ])('%j is none', (text) => expect(readDecimal(text)).toBeNull());

  test.each<[number | string, number, number, boolean]>([
    [0.3, 0, 0.1, true],
    [1.1, 0.1, 0.2, true],
    ['4.5', 0, 0.5, true],
    [0.35, 0, 0.1, false],
    [5, 0.5, 1, false],
    [-0.3, 0, 0.1, true],
    [0, 1, 0.3, false],
    ['0.000001', 0, 1e-6, true],
    [7, 7, 1e-300, true],
  ])('%s from %s in steps of %s: %s', (value, start, step, on) =>
    expect(isOnStep(of(value), of(start), of(step))).toBe(on),
  );

  test.each([
    ['+7.', '7'],
    ['-.50', '-0.50'],
    ['1e3', '1000'],
    ['1.5e-3', '0.0015'],
    ['-0', '0'],
  ])('%s is written as %s', (text, written) => expect(decimalText(of(text))).toBe(written));

  test('numbers are ordered as whole millionths are', () => {
    const millionths = fc.integer({ min: -10_000_000, max: 10_000_000 });
    const textOf = (value: number) =>
      `${value < 0 ? '-' : ''}${String(Math.abs(value))
        .padStart(7, '0')
        .replace(/(\d{6})$/, '.$1')}`;
    fc.assert(
      fc.property(millionths, millionths, (one, other) => {
        expect(compare(of(textOf(one)), of(textOf(other)))).toBe(Math.sign(one - other));
      }),
    );
  });
});
