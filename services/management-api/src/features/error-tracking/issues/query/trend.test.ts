import { expect, test } from '@jest/globals';
import { trendOf } from './trend.ts';

const window = { from: '2026-01-01 00:00:00.000000', to: '2026-01-03 00:00:00.000000' };
const long = Date.parse('2025-12-01T00:00:00Z');

test.each([
  [[0, 0], long, undefined],
  [[4, 5], long, 'increasing'],
  [[100, 124], long, 'stable'],
  [[4, 3], long, 'decreasing'],
  [[100, 76], long, 'stable'],
  [[0, 1], long, 'increasing'],
  [[0, 1], Date.parse('2026-01-02T00:00:00Z'), 'new'],
  [[1, 1], Date.parse('2026-01-01T23:59:59Z'), 'stable'],
])('occurrences %p of an issue that was first met at %p are %p', (halves, firstSeenMs, direction) => {
  expect(trendOf(halves, firstSeenMs, window)?.direction).toBe(direction);
});
