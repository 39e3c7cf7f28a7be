import { describe, expect, test } from '@jest/globals';
import { judge } from './bars.ts';

describe('a figure is held to its bar', () => {
  test('the bar itself is met, the least bit beyond it is missed, before any rounding', () => {
    expect(judge(1.5, { most: 1.5 })).toEqual({ met: true, text: 'bar ≤ 1.5: met' });
    expect(judge(1.5001, { most: 1.5 })).toEqual({ met: false, text: 'bar ≤ 1.5: missed' });
    expect(judge(0.6, { least: 0.6 }).met).toBe(true);
    expect(judge(0.5999, { least: 0.6 })).toEqual({ met: false, text: 'bar ≥ 0.6: missed' });
  });

  test('a stretch goal is named where the bar is met', () => {
    expect(judge(1.4, { most: 1.5, stretch: 1.35 }).text).toBe('bar ≤ 1.5: met; stretch ≤ 1.35: missed');
    expect(judge(26_000, { least: 12_000, stretch: 25_000, unit: '/s' }).text).toBe(
      'bar ≥ 12 000/s: met; stretch ≥ 25 000/s: met',
    );
    expect(judge(1.6, { most: 1.5, stretch: 1.35 }).text).toBe('bar ≤ 1.5: missed');
  });

  test('no figure is no success', () => {
    expect(judge(NaN, { most: 1 }).met).toBe(false);
    expect(judge(NaN, { least: 1 }).met).toBe(false);
  });
});
