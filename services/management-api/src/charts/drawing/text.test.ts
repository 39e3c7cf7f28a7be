import { describe, expect, test } from '@jest/globals';
import { valueScale } from './scale.ts';
import { shownNumber, shownTicks } from './shown-number.ts';
import { decimal } from './svg.ts';
import { fitted, textWidth } from './text-width.ts';

describe('numbers in few characters', () => {
  test.each([
    [0, '0'],
    [7, '7'],
    [999, '999'],
    [999.6, '1K'],
    [1_000, '1K'],
    [12_345, '12.3K'],
    [999_999, '1M'],
    [-1_234_567, '-1.23M'],
    [5e9, '5B'],
    [7.25e12, '7.25T'],
    [1.5e17, '1.5e17'],
    [0.1 + 0.2, '0.3'],
    [0.00012, '1.2e-4'],
    [null, '–'],
    [NaN, '–'],
    [Infinity, '–'],
  ])('%p is %s', (value, shown) => {
    expect(shownNumber(value, 'count')).toBe(shown);
  });

  test.each([
    [0, '0s'],
    [0.42, '0.4s'],
    [59.4, '59s'],
    [95, '1m 35s'],
    [3_599.8, '1h'],
    [25_200, '7h'],
    [86_399, '1d'],
    [1_000_000, '11d 14h'],
    [-90, '-1m 30s'],
    [1e9, '11.6Kd'],
  ])('%p seconds are %s', (value, shown) => {
    expect(shownNumber(value, 'seconds')).toBe(shown);
  });

  test('percentages have one decimal', () => {
    expect([33.333, 100, 0.04, 12_345.6].map((value) => shownNumber(value, 'percent'))).toEqual([
      '33.3%',
      '100%',
      '0%',
      '12.3K%',
    ]);
  });

  test('marks of an axis differ from each other', () => {
    expect(shownTicks([1_000, 1_002, 1_004], 'count')).toEqual(['1.000K', '1.002K', '1.004K']);
    expect(shownTicks([0, 0.5, 1], 'percent')).toEqual(['0%', '0.5%', '1.0%']);
    expect(shownTicks([0, 500, 1_000], 'count')).toEqual(['0', '0.5K', '1.0K']);
  });
});

describe('the scale of values', () => {
  test('it holds 0 and every value, with marks at 1, 2 or 5', () => {
    expect(valueScale([3, 97], 200, 0, 5).ticks).toEqual([0, 20, 40, 60, 80, 100]);
    expect(valueScale([-30, 12], 200, 0, 5).ticks).toEqual([-30, -20, -10, 0, 10, 20]);
  });

  test('whole numbers have whole marks', () => {
    expect(valueScale([1], 200, 0, 5).ticks).toEqual([0, 1]);
    expect(valueScale([1.5], 200, 0, 3).ticks).toEqual([0, 0.5, 1, 1.5]);
  });

  test('no value leaves it, and none is not a number', () => {
    for (const values of [[], [null], [0, 0], [NaN, Infinity], [1e308, -1e308], [5e-324]]) {
      const { at } = valueScale(values, 200, 0, 5);
      for (const value of [...values.filter((given) => given !== null), 0]) {
        expect(at(value)).toBeGreaterThanOrEqual(0);
        expect(at(value)).toBeLessThanOrEqual(200);
      }
    }
  });
});

describe('texts in a width', () => {
  test('short texts stay, long ones end in an ellipsis', () => {
    expect(fitted('pro', 12, 100)).toBe('pro');
    const cut = fitted('a label that is much longer than its place', 12, 100);
    expect(cut).toMatch(/^a label.*…$/);
    expect(textWidth(cut, 12)).toBeLessThanOrEqual(100);
  });

  test('nothing of what a reader sees as one character is cut through', () => {
    expect(fitted('👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 12, 120)).toMatch(/^(?:👩‍👩‍👧‍👦)+…$/u);
    expect(fitted('e\u0301'.repeat(50), 12, 60)).toMatch(/^(?:e\u0301)+…$/);
  });

  test('the ellipsis of a text from right to left is at its left end', () => {
    expect(fitted('שלום '.repeat(20), 12, 60)).toMatch(/…\u200f$/);
  });

  test('coordinates have two decimals and no exponent', () => {
    expect([1 / 3, -0.001, 1e-9, 12, NaN, Infinity].map(decimal)).toEqual(['0.33', '0', '0', '12', '0', '0']);
  });
});
