import { describe, expect, test } from '@jest/globals';
import { median, quantile, slopeOf, spreadOf } from './statistics.ts';

describe('figures of a bench are what they claim', () => {
  test('a quantile lies between its neighbours in proportion', () => {
    expect(quantile([10, 20, 30, 40, 50], 0.5)).toBe(30);
    expect(quantile([10, 20, 30, 40, 50], 0.95)).toBeCloseTo(48, 9);
    expect(quantile([0, 10], 0.25)).toBe(2.5);
  });

  test('the order of the figures does not matter, by value and not by text', () => {
    expect(median([100, 9, 10])).toBe(10);
    const given = [3, 1, 2];
    expect(spreadOf(given)).toEqual({ median: 2, least: 1, greatest: 3 });
    expect(given).toEqual([3, 1, 2]);
  });

  test('a single figure is all of them', () => {
    expect(spreadOf([7])).toEqual({ median: 7, least: 7, greatest: 7 });
  });

  test('what is flat has no slope, what rises has its own', () => {
    const line = (rise: number) => [0, 1, 2, 5].map((at) => ({ at, value: 200 + rise * at }));
    expect([slopeOf(line(0)), slopeOf(line(2.5))]).toEqual([0, 2.5]);
    expect(() => slopeOf([{ at: 1, value: 3 }])).toThrow(RangeError);
  });

  test('no figures are no zero', () => {
    expect(() => median([])).toThrow(RangeError);
    expect(() => quantile([1], 95)).toThrow(RangeError);
  });
});
